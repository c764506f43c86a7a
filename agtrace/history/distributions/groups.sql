-- How is each group distributed, over all of its values and over those in which something moved?
-- A value of at most a hundredth of what the group's 99th percentile is counts as idle.
with keyed as (
    select grp{columns}, value, {clock} as placed from {source}
),
level as (
    select grp{names}, {quantile}(value, 0.99) / 100 as idle from keyed group by all
)
select k.grp{own}, count(*) as n, avg(value) as mean, min(value) as low, max(value) as high,
       {quantile}(value, {probabilities}) as quantiles, any_value(l.idle) as idle,
       min(placed) as first, max(placed) as last,
       count(*) filter (value > l.idle) as busy_n, avg(value) filter (value > l.idle) as busy_mean,
       min(value) filter (value > l.idle) as busy_low,
       {quantile}(value, {probabilities}) filter (value > l.idle) as busy_quantiles
from keyed k
join level l on k.grp = l.grp{same}
group by all
