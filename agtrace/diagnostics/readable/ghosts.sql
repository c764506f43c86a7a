-- What did the primaries of a server's secondaries skip of ghosted records meanwhile, on average, and before?
-- Ghost cleanup of a primary keeps what the oldest reader of any secondary may still see.
-- null: skipped, before
with primaries as (
    select distinct primary_host_id as host_id from streams
    where replica_host_id = $host and primary_host_id is not null and primary_host_id <> $host
)
select v.host_id, avg(v.value) filter (v.time between $start and $end) as skipped,
       count(*) filter (v.time between $start and $end) as n, avg(v.value) filter (v.time < $start) as before
from counter_values v
join primaries p on p.host_id = v.host_id
where v.object = 'SQLServer:Access Methods' and v.counter = 'Skipped Ghosted Records/sec' and v.value is not null
group by all
order by 1;
