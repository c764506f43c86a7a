-- Over which stretches did the version store of each secondary only grow, how fast, and what was free meanwhile?
-- A stretch ends where the store falls by a tenth from one sample to the next: then its oldest reader has ended and
-- versions are cleaned up. It ends, too, where samples are further apart than a gap.
-- null: start, end, free_bytes, longest_s, generated, cleaned, late_growth
with sizes as (
    select *, value * 1024 as bytes,
           value < 0.9 * lag(value) over w as has_fallen,
           epoch(time_local) - epoch(lag(time_local) over w) > if(source = 'perfmon', $gap_s, $look_gap_s) as is_behind_gap
    from row_versions
    where counter = 'Version Store Size (KB)'
    window w as (partition by host_id, sql_instance order by time_local)
),
numbered as (
    select *, sum((coalesce(has_fallen, false) or coalesce(is_behind_gap, false))::int) over (
        partition by host_id, sql_instance order by time_local) as stretch
    from sizes
),
stretches as (
    select host_id, sql_instance, stretch, min(time) as start, max(time) as "end", min(time_local) as start_local,
           max(time_local) as end_local, count(*) as samples, arg_min(bytes, time_local) as first_bytes,
           arg_max(bytes, time_local) as last_bytes, max(bytes) as max_bytes, regr_slope(bytes, epoch(time_local)) as growth,
           bool_or(is_primary_too) as is_primary_too, bool_or(is_readable) as is_readable, bool_or(is_secondary) as is_secondary, any_value(source) as source
    from numbered
    group by host_id, sql_instance, stretch
),
ended as (
    select host_id, sql_instance, stretch - 1 as stretch from numbered where has_fallen and not coalesce(is_behind_gap, false)
),
-- A store that jumped once, and holds since, does not grow any more.
late as (
    select g.host_id, g.sql_instance, g.stretch, regr_slope(n.bytes, epoch(n.time_local)) as late_growth
    from stretches g
    join (select *, row_number() over (partition by host_id, sql_instance, stretch order by time_local desc) as newest from numbered) n
        using (host_id, sql_instance, stretch)
    -- Of a few looks the later half may hold one only.
    where epoch(n.time_local) >= (epoch(g.start_local) + epoch(g.end_local)) / 2 or n.newest <= 2
    group by all
),
meanwhile as (
    select g.host_id, g.sql_instance, g.stretch,
           arg_max(s.value, s.time_local) filter (s.counter = 'Free Space in tempdb (KB)') * 1024 as free_bytes,
           arg_max(s.value, s.time_local) filter (s.counter = 'Longest Transaction Running Time') as longest_s,
           avg(s.value) filter (s.counter = 'Version Generation rate (KB/s)') * 1024 as generated,
           avg(s.value) filter (s.counter = 'Version Cleanup rate (KB/s)') * 1024 as cleaned
    from stretches g
    join row_versions s
      on s.host_id = g.host_id and s.sql_instance = g.sql_instance and s.time_local between g.start_local and g.end_local
    group by all
)
select g.*, l.late_growth, m.free_bytes, m.longest_s, m.generated, m.cleaned,
       exists (from ended e where e.host_id = g.host_id and e.sql_instance = g.sql_instance and e.stretch = g.stretch)
           or g.last_bytes < 0.9 * g.max_bytes as is_over
from stretches g
left join late l using (host_id, sql_instance, stretch)
left join meanwhile m using (host_id, sql_instance, stretch)
where g.growth > 0 and g.last_bytes > g.first_bytes
order by g.host_id, g.sql_instance, g.start_local;
