-- How long did the gate towards each replica stand closed, by the counters of its primary? In percent of the time.
with links as (
    select unnest($links::varchar[]) as link, unnest($instances::varchar[]) as instance, unnest($primaries::varchar[]) as host,
           unnest($starts::timestamptz[]) as start, unnest($ends::timestamptz[]) as "end"
)
select l.link, l.host, 'flow control' as what, v.time, sum(v.value) / 10 as value
from counter_values v
join links l on l.host = v.host_id and upper(v.instance) = l.instance
where v.counter = 'Flow Control Time (ms/sec)' and v.time between l.start and l."end"
group by all;
