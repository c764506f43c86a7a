-- Which databases of secondaries were being reverted, how much was left, and how fast did it shrink?
-- Log remaining for undo is above 0 while a secondary takes back what the new primary does not have. Stretches
-- without a sample at 0 are one revert; its rate is the slope of what was left, with its standard error.
-- null: sql_instance, start, end, start_local, end_local, slope, total_bytes
with left_over as (
    select host_id, sql_instance, instance as "database", time, time_local, value * 1024 as bytes,
           sum((value = 0)::int) over (partition by host_id, sql_instance, instance order by time_local) as revert
    from counter_values
    where counter = 'Log remaining for undo' and instance <> '_Total' and value is not null
),
total as (
    select host_id, sql_instance, instance as "database", max(value) * 1024 as total_bytes
    from counter_values
    where counter = 'Total Log requiring undo' and instance <> '_Total'
    group by all
),
reverts as (
    select host_id, sql_instance, "database", revert, min(time) as start, max(time) as "end",
           min(time_local) as start_local, max(time_local) as end_local, count(*) as samples,
           arg_min(bytes, time_local) as first_bytes, arg_max(bytes, time_local) as last_bytes,
           regr_slope(bytes, epoch(time_local)) as slope,
           coalesce(sqrt(greatest(regr_syy(bytes, epoch(time_local)) - regr_sxy(bytes, epoch(time_local)) ** 2
                         / nullif(regr_sxx(bytes, epoch(time_local)), 0), 0)
                / nullif((count(*) - 2) * regr_sxx(bytes, epoch(time_local)), 0)), 0) as slope_error
    from left_over
    where bytes > 0
    group by all
)
select r.* exclude (revert), t.total_bytes,
       exists (from left_over o where o.host_id = r.host_id and o."database" = r."database" and o.bytes = 0
               and o.time_local > r.end_local) as is_over
from reverts r
left join total t using (host_id, sql_instance, "database")
order by r.start_local, r.host_id, r."database";
