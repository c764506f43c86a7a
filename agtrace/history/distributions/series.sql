-- Which series are there: of perfmon, and of the throughput of backups and restores that were logged?
-- MB of SQL Server's messages are 2^20 bytes; a backup has no counter_id.
select counter_id, content_id, coalesce(host_id, host, '') as host, coalesce(sql_instance, '') as sql_instance,
       coalesce(object, object_written, '') as object, coalesce(instance, '') as instance,
       coalesce(counter, counter_written, '') as counter, unit
from counters
union all
select distinct null, '', coalesce(host_id, ''), coalesce(sql_instance, ''), 'backups',
       coalesce(database, ''), if(operation = 'restore', 'Restore throughput', 'Backup throughput'), 'B/s'
from backups
where status = 'completed' and mb_per_s > 0 and duration_s >= $least_s
  and not coalesce(is_snapshot, false)
order by object, counter, host, sql_instance, instance, counter_id;
