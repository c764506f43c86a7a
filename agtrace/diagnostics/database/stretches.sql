-- In which stretches was a log full (message 9002), or did it fill in the last hour of its counters?
-- What is in use, how large the file is, and how fast that grew, of the primary's databases: a line through the last
-- hour, and one through its later half, which tells whether it goes on.
create or replace table scratch.log_samples as
with used as (
    select c.host_id, coalesce(c.sql_instance, 'MSSQLSERVER') as sql_instance, c.instance as "database", s.time,
           s.value * 1024 as bytes
    from counters c join samples s using (counter_id)
    where c.object = 'SQLServer:Databases' and c.counter = 'Log File(s) Used Size (KB)' and c.host_id is not null
      and s.time is not null and s.value between 0 and 1e15
      and (exists (from streams t where t.primary_host_id = c.host_id and t."database" = c.instance)
           or exists (from databases d where d.host_id = c.host_id and d."database" = c.instance
                      and d.log_reuse_wait = 'AVAILABILITY_REPLICA'))
)
select * from used
qualify time >= max(time) over (partition by host_id, sql_instance, "database") - interval 1 hour;

create or replace table scratch.log_growths as
with ends as (
    select host_id, sql_instance, "database", min(time) as start, max(time) as "end", count(*) as samples
    from scratch.log_samples group by all
)
select e.*, arg_max(u.bytes, u.time) as used_bytes, regr_slope(u.bytes, epoch(u.time)) as growth,
       regr_slope(u.bytes, epoch(u.time)) filter (u.time >= e.start + (e."end" - e.start) / 2) as late_growth,
       sqrt(greatest(regr_syy(u.bytes, epoch(u.time))
                     - regr_sxy(u.bytes, epoch(u.time)) ** 2 / nullif(regr_sxx(u.bytes, epoch(u.time)), 0), 0)
            / nullif((count(*) - 2) * regr_sxx(u.bytes, epoch(u.time)), 0)) as growth_error
from ends e
join scratch.log_samples u using (host_id, sql_instance, "database")
group by all;

create or replace table scratch.log_stretches as
with said as (
    select 'full' as stretch, host_id, sql_instance, "database", reason, start, "end", start_local, end_local, entries,
           content_id, line, null::varchar as reason_place
    from database_faults where kind = 'log_full'
),
-- What a look said of the log's reuse near the end of the counters.
looked as (
    select g.host_id, g.sql_instance, g."database", arg_max(d.log_reuse_wait, d.time) as reason,
           arg_max(coalesce(c.path, 'a look') || ' line ' || d.line, d.time) as place
    from scratch.log_growths g
    join databases d on d.host_id = g.host_id and d."database" = g."database" and d.log_reuse_wait is not null
     and coalesce(d.sql_instance, g.sql_instance) = g.sql_instance
     and d.time between g.start - interval 1 hour and g."end" + interval 1 hour
    left join contents c on c.content_id = d.content_id
    group by all
),
filling as (
    select 'filling' as stretch, g.host_id, g.sql_instance, g."database", l.reason, g.start, g."end",
           null::timestamp as start_local, null::timestamp as end_local, null::bigint as entries,
           null::varchar as content_id, null::bigint as line, l.place as reason_place
    from scratch.log_growths g
    left join looked l using (host_id, sql_instance, "database")
    where g.growth > 0
      and not exists (from said s where s.host_id = g.host_id and s."database" = g."database")
)
select row_number() over (order by stretch desc, coalesce(start_local, start at time zone 'UTC'), host_id, "database", reason) as fault, *
from (from said union all by name from filling);
