-- What did commits wait for replicas, and the log for its disk, on each host whose commits waited $least times or more?
-- By the file statistics where they were captured, else by the waits for the log.
-- null: write_mean, start, end
with waited as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, wait_type, sum(waiting_tasks)::bigint as n,
           sum(wait_ms) / nullif(sum(waiting_tasks), 0) as mean,
           max(time) as "end", min(time - to_milliseconds((seconds * 1000)::bigint)) as start
    from waits
    where wait_type in ('HADR_SYNC_COMMIT', 'WRITELOG') and host_id is not null
    group by all
),
written as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, sum(writes)::bigint as n,
           sum(write_stall_ms) / nullif(sum(writes), 0) as mean
    from file_io
    where file_type = 'LOG' and host_id is not null and start_local is not null
    group by all
)
select c.host_id as host, c.n, c.mean, c.start, c."end",
       if(f.mean is null, coalesce(w.n, 0), f.n) as writes, coalesce(f.mean, w.mean) as write_mean,
       if(f.mean is null, 'WRITELOG', 'file statistics') || ' of ' || c.host_id as write_source
from waited c
left join written f on f.host_id = c.host_id and f.sql_instance = c.sql_instance
left join waited w on w.host_id = c.host_id and w.sql_instance = c.sql_instance and w.wait_type = 'WRITELOG'
where c.wait_type = 'HADR_SYNC_COMMIT' and c.n >= $least
order by c.host_id, c.sql_instance;
