-- What did each end report of its copy: until when, the highest rate, and how fast it was between reports? What changed over
-- time does not depend on what the reported rate averages. Reports at a change of state are close together: what changed
-- between them is no rate.
-- null: highest, times, rates
with steps as (
    select seeding_id, role, time, bytes_per_s, transferred_bytes - lag(transferred_bytes) over w as moved,
           (epoch_us(time) - epoch_us(lag(time) over w)) / 1e6 as seconds
    from seeding_progress
    window w as (partition by seeding_id, role, transferred_bytes is null order by time, transferred_bytes)
),
usual as (
    select *, median(seconds) over (partition by seeding_id, role) as usual_s from steps
),
rated as (
    select *, seconds > 0 and seconds >= 0.5 * usual_s and moved >= 0 as is_rate from usual
)
select seeding_id, role, count(*) as n, max(time) as until, max(bytes_per_s) as highest,
       list(time order by time) filter (is_rate) as times, list(moved / seconds order by time) filter (is_rate) as rates
from rated
group by seeding_id, role
order by seeding_id, role;
