-- How busy were the processors of each server, each minute, as system_health keeps it?
select e._time as time, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as seq,
       100 - try_cast(e.system_idle as double) as machine_percent, try_cast(e.process_utilization as double) as sql_percent
from events_scheduler_monitor_system_health_ring_buffer_recorded e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
