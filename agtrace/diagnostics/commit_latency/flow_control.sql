-- How long did the gate towards each replica stand closed, by the counters of its primary? In percent of the time.
create or replace table scratch.commit_samples as
with links as (
    select unnest($links::varchar[]) as link, unnest($instances::varchar[]) as instance, unnest($primaries::varchar[]) as host,
           unnest($starts::timestamptz[]) as start, unnest($ends::timestamptz[]) as "end"
)
select l.link, l.host, 'flow control' as what, s.time, sum(s.value) / 10 as value
from samples s
join counters c using (counter_id)
join links l on l.host = c.host_id and upper(c.instance) = l.instance
where c.counter = 'Flow Control Time (ms/sec)' and s.time between l.start and l."end"
group by all;
