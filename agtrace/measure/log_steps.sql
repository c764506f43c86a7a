-- How often, over how many rows and since when was each perfmon log sampled, and is its offset from UTC known?
-- Rows written at one instant, and a clock that was set back, say nothing about the interval.
create or replace table scratch.log_steps as
with stepped as (
    select content_id, time, time_local,
           epoch_us(time_local) - epoch_us(lag(time_local) over (partition by content_id order by tick)) as gap_us
    from ticks
)
select content_id, median(gap_us) filter (gap_us > 0) as step_us, count(*) as rows, bool_or(time is null) as is_local,
       min(epoch_us(time)) as first_us, min(epoch_us(time_local)) as first_local_us
from stepped
group by content_id;
