-- How did commits go over the time of the capture? About two hundred stretches of it.
with blocks as (
    select coalesce(database, group_database_id) as database, coalesce(replica, replica_id) as replica,
           epoch_us(t_first) - coalesce(k.ahead_us, 0) as us, commit_ms
    from log_blocks left join reference_clock k on k.host_id = primary_host
    where commit_ms is not null and commit_mode is distinct from 'asynchronous'
),
width as (
    select greatest((max(us) - min(us)) // 200, 1000000) as us from blocks
)
select database, replica, make_timestamptz(b.us // w.us * w.us) as time, count(*) as n,
       quantile_cont(commit_ms, 0.5) as p50, quantile_cont(commit_ms, 0.95) as p95, quantile_cont(commit_ms, 0.99) as p99
from blocks b, width w
group by all
order by all;
