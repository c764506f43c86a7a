-- Which databases of secondaries were being reverted, how much was left, and how fast did it shrink?
-- Log remaining for undo is above 0 while a secondary takes back what the new primary does not have. Stretches
-- without a sample at 0 are one revert; its rate is the slope of what was left, with its standard error.
with left_over as (
    select c.host_id, c.sql_instance, c.instance as "database", s.time, s.time_local, s.value * 1024 as bytes,
           sum((s.value = 0)::int) over (partition by c.host_id, c.sql_instance, c.instance order by s.time_local) as revert
    from counters c
    join samples s on s.counter_id = c.counter_id and s.value is not null
    where c.counter = 'Log remaining for undo' and c.instance <> '_Total'
),
total as (
    select c.host_id, c.sql_instance, c.instance as "database", max(s.value) * 1024 as total_bytes
    from counters c
    join samples s on s.counter_id = c.counter_id
    where c.counter = 'Total Log requiring undo' and c.instance <> '_Total'
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
