-- When were the processors busy (system_health, one sample a minute)?
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, null::varchar as ag,
       null::varchar as replica, null::varchar as database, 'processors_busy' as kind,
       null::varchar as before, null::varchar as after, 100.0 - e.system_idle::double as value, '%' as unit,
       concat('processors of the machine ', 100 - e.system_idle::integer, ' %, SQL Server ', e.process_utilization, ' %') as text
from events_scheduler_monitor_system_health_ring_buffer_recorded e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null and e.system_idle <= 100 - $busy_percent;
