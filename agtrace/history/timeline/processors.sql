-- When were the processors busy (system_health, one sample a minute)? Where the gauge of the machine stands still
-- (gauges.sql), SQL Server's own tells it.
with gauges as (
    select _content_id, _seq, _time, 100 - try_cast(system_idle as double) as machine,
           try_cast(process_utilization as double) as sql
    from events_scheduler_monitor_system_health_ring_buffer_recorded
)
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, null::varchar as ag,
       null::varchar as replica, null::varchar as database, 'processors_busy' as kind,
       null::varchar as before, null::varchar as after,
       if(g.is_still, e.sql, e.machine) as value, '%' as unit,
       if(g.is_still, null, e.sql) as sql_percent,
       if(g.is_still, concat('SQL Server ', try_cast(e.sql as integer), ' %; the gauge of the machine does not move'),
          concat('processors of the machine ', try_cast(e.machine as integer), ' %, SQL Server ', try_cast(e.sql as integer), ' %')) as text
from gauges e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
join scratch.gauges g on g.content_id = e._content_id
where o.host_id is not null and e._time is not null
  and if(g.is_still, not g.is_sql_still and e.sql >= $busy_percent, e.machine >= $busy_percent);
