-- What did the primaries of a server's secondaries skip of ghosted records meanwhile, on average, and before?
-- Ghost cleanup of a primary keeps what the oldest reader of any secondary may still see.
with primaries as (
    select distinct primary_host_id as host_id from streams
    where replica_host_id = $host and primary_host_id is not null and primary_host_id <> $host
)
select c.host_id, avg(s.value) filter (s.time between $start and $end) as skipped,
       count(*) filter (s.time between $start and $end) as n, avg(s.value) filter (s.time < $start) as before
from samples s
join counters c using (counter_id)
join primaries p on p.host_id = c.host_id
where c.object = 'SQLServer:Access Methods' and c.counter = 'Skipped Ghosted Records/sec' and s.value is not null
group by all
order by 1;
