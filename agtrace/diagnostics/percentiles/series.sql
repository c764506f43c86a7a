-- Which series are there?
select counter_id, content_id, coalesce(host_id, host, '') as host, coalesce(sql_instance, '') as sql_instance,
       coalesce(object, object_written, '') as object, coalesce(instance, '') as instance,
       coalesce(counter, counter_written, '') as counter, unit
from counters
order by object, counter, host, sql_instance, instance, counter_id;
