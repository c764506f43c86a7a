-- Of which stretch does each row of a log speak, for rates and for gauges?
create or replace table scratch.usage_ticks as
with timed as (
    select content_id, tick, coalesce(time, time_local) as time, time is null as is_local,
           epoch_us(coalesce(time, time_local)) as moment_us,
           epoch_us(time_local) - epoch_us(lag(time_local) over (
               partition by content_id order by tick)) as gap_us
    from ticks
),
steps as (
    select content_id, median(gap_us) as step_us from timed where gap_us > 0 group by content_id
)
select t.content_id, t.tick, t.time, t.is_local, p.step_us, g.is_gauge,
       t.moment_us - if(g.is_gauge, 0, 0.95 * p.step_us) as since_us,
       t.moment_us - if(g.is_gauge, 0, 0.05 * p.step_us) as until_us
from timed t
join steps p using (content_id)
cross join (values (false), (true)) g(is_gauge);
