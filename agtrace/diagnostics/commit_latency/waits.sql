-- How long did commits wait for replicas, and the log for its disk, by the wait statistics of each host?
select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, wait_type, sum(waiting_tasks)::bigint as n,
       sum(wait_ms) / nullif(sum(waiting_tasks), 0) as mean,
       max(time) as "end", min(time - to_milliseconds((seconds * 1000)::bigint)) as start
from waits
where wait_type in ('HADR_SYNC_COMMIT', 'WRITELOG') and host_id is not null
group by all
order by all;
