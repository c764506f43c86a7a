-- How did each metric of each host develop: its greatest value in each step of the time?
-- A metric is the sum, the greatest or one instance of a counter; $steps are the sizes of the steps in us, one a window.
with wanted as (
    select unnest($numbers::integer[]) as metric, unnest($objects::varchar[]) as object,
           unnest($counters::varchar[]) as counter, unnest($totals::varchar[]) as total,
           unnest($factors::double[]) as factor
),
read as (
    select w.metric, v.host_id,
           epoch_us(v.time) as us,
           w.factor * if(w.total = 'sum', sum(v.value), max(v.value)) as value
    from counter_values v
    join wanted w on w.object = v.object and w.counter = v.counter
    where v.time is not null and v.host_id is not null and list_contains($hosts::varchar[], v.host_id)
      and (w.total = '_Total') = (coalesce(v.instance, '') = '_Total')
    group by w.metric, w.object, w.total, w.factor, v.host_id, v.time
),
paced as (
    select metric, host_id, us, value,
           us - lag(us) over (partition by metric, host_id order by us) as pace
    from read
),
shown as (
    select unnest(range(len($starts))) as part, unnest($starts::bigint[]) as start_us,
           unnest($ends::bigint[]) as end_us, unnest($steps::bigint[]) as step_us
),
stepped as (
    select p.metric, p.host_id, s.part, (p.us - s.start_us) // s.step_us as step,
           arg_max(p.us, p.value) as us, max(p.value) as value, median(p.pace) as pace
    from paced p
    join shown s on p.us between s.start_us and s.end_us
    group by all
)
select metric, host_id as host, part, list(us order by us) as us, list(value order by us) as value,
       coalesce(median(pace), 0)::bigint as pace_us
from stepped
group by metric, host_id, part
order by metric, host, part
