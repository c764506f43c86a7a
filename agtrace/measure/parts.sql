-- What did each disk, card or other instance come to within its window, by the counter that ranks first?
with ranked as (
    select *, min(rank) over (partition by number, host, resource) as first_rank
    from scratch.usage_samples
)
select number as "window", host, resource, instance, count(*) as n, avg(value) as mean
from ranked
where rank = first_rank and instance <> $total
group by number, host, resource, instance
order by all;
