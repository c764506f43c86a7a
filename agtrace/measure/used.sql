-- What does each resource come to within its window? A sample speaks of the time since the one before
-- it, of one interval at most: together they say how much of the window was seen.
with spoken as (
    select *, epoch_us(time) - epoch_us(lag(time) over (
               partition by "window", host, resource order by time)) as gap_us
    from scratch.usage_series
)
select "window", host, resource, count(*) as n, avg(value) as mean, max(value) as highest,
       quantile_cont(value, [0.05, 0.5, 0.95]) as p,
       sum(least(step_us, coalesce(gap_us, step_us))) as covered_us
from spoken
group by "window", host, resource
order by all;
