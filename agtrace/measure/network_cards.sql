-- What can each network card of each host carry, and what did it carry on average, by counter?
-- Of objects that show the same cards the first that was captured counts, counter by counter.
with shown as (
    select counter_id, content_id, host_id as host, instance as card, counter,
           list_position($objects::varchar[], object) as rank
    from counters
    where list_contains($objects::varchar[], object) and list_contains($counters::varchar[], counter)
      and host_id is not null and instance is not null and instance <> $total
),
told as (
    select s.host, s.card, s.counter, s.rank, avg(v.value) as mean, min(c.path) as path
    from shown s
    join samples v using (counter_id)
    left join contents c on c.content_id = s.content_id
    group by all
)
select host, card, counter, mean, path
from told
qualify rank = min(rank) over (partition by host, counter)
order by host, card, counter;
