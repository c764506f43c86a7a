-- How long did commits wait for replicas, and the log for its disk, by the wait statistics of each host?
select host_id, sql_instance, wait_type, sum(waiting_tasks)::bigint as n,
       sum(wait_ms) / nullif(sum(waiting_tasks), 0) as mean, min(start_local) as start_local,
       max(time_local) as end_local, max(time) as "end", min(time - to_milliseconds(seconds * 1000)) as start
from waits
where wait_type in ('HADR_SYNC_COMMIT', 'WRITELOG') and host_id is not null
group by all
order by all;
