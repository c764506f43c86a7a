-- How full is the log of each database of a primary at the end of its counters, and how fast did it grow in the hour before?
-- A line through that hour, and one through its later half, which tells whether it goes on.
with used as (
    select v.host_id, coalesce(v.sql_instance, 'MSSQLSERVER') as sql_instance, v.instance as "database", v.time,
           v.value * 1024 as bytes
    from counter_values v
    where v.object = 'SQLServer:Databases' and v.counter = 'Log File(s) Used Size (KB)' and v.host_id is not null
      and v.time is not null and v.value between 0 and 1e15
      and (exists (from streams t where t.primary_host_id = v.host_id and t."database" = v.instance)
           or exists (from databases d where d.host_id = v.host_id and d."database" = v.instance
                      and d.log_reuse_wait = 'AVAILABILITY_REPLICA'))
),
last_hour as (
    from used
    qualify time >= max(time) over (partition by host_id, sql_instance, "database") - interval 1 hour
),
ends as (
    select host_id, sql_instance, "database", min(time) as start, max(time) as "end", count(*) as samples
    from last_hour group by all
)
select e.*, arg_max(u.bytes, u.time) as used_bytes, regr_slope(u.bytes, epoch(u.time)) as growth_bytes_per_s,
       regr_slope(u.bytes, epoch(u.time)) filter (u.time >= e.start + (e."end" - e.start) / 2) as late_growth_bytes_per_s,
       sqrt(greatest(regr_syy(u.bytes, epoch(u.time))
                     - regr_sxy(u.bytes, epoch(u.time)) ** 2 / nullif(regr_sxx(u.bytes, epoch(u.time)), 0), 0)
            / nullif((count(*) - 2) * regr_sxx(u.bytes, epoch(u.time)), 0)) as growth_error_bytes_per_s
from ends e
join last_hour u using (host_id, sql_instance, "database")
group by all
order by e.host_id, e.sql_instance, e."database"
