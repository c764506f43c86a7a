-- What can each network card of each host carry, and what did it carry on average, by counter?
-- Of objects that show the same cards one that shows a team counts, else the first that was captured, counter by counter.
-- A link that is down for a while can carry what it carries while it is up.
with shown as (
    select counter_id, content_id, host_id as host, instance as card, counter,
           list_position($objects::varchar[], object) as rank
    from counters
    where list_contains($objects::varchar[], object) and list_contains($counters::varchar[], counter)
      and host_id is not null and instance is not null and instance <> $total
),
teamed as (
    select distinct host, rank from shown where contains(lower(card), $team)
),
told as (
    select s.host, s.card, s.counter, s.rank, avg(s.value) as mean, max(s.value) as most,
           min(c.path) as path
    from scratch.sampled('shown') s
    left join contents c on c.content_id = s.content_id
    group by all
),
ranked as (
    select d.*, d.rank + if(t.host is null, 100, 0) as place
    from told d
    left join teamed t on t.host = d.host and t.rank = d.rank
)
select host, card, counter, if(counter = $bandwidth, most, mean) as value, path
from ranked
qualify place = min(place) over (partition by host, counter)
order by host, card, counter;
