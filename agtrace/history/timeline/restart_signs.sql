-- Which instances were started, and which signs of life were there before each start? (own logs and sessions, what
-- the start itself says of the process before, connections that partners made to it)
create or replace table scratch.restart_starts as
with servers as (
    select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures
    where host_id is not null group by content_id
),
banners as (
    select content_id, item, min(time) - to_microseconds(coalesce(any_value(k.ahead_us), 0)) as time, min(line) as line,
           max(try_cast(value as timestamp)) filter (key = 'last_reported_utc') at time zone 'UTC'
           - to_microseconds(coalesce(any_value(k.ahead_us), 0)) as reported,
           max(value) filter (key = 'last_process_id') as last_process,
           max(value) filter (key = 'process_id') as process
    from facts
    left join reference_clock k using (host_id)
    where topic = 'startup' and host_id is not null
    group by content_id, item
),
ready as (
    select t.host_id, s.sql_instance, t.content_id, t.line, t.time as ready, t.time_local
    from scratch.timeline_told t
    join servers s on s.content_id = t.content_id
    where t.kind = 'ready' and t.source = 'ERRORLOG' and t.time is not null
),
begun as (
    -- The banner before it begins a start; behind sp_cycle_errorlog there is one as well, and no such line.
    select r.*, b.time as banner, b.line as banner_line, b.reported, b.last_process, b.process
    from ready r
    left join banners b
      on b.content_id = r.content_id and b.line <= r.line and b.time between r.ready - interval 30 minutes and r.ready
    qualify row_number() over (partition by r.content_id, r.line order by b.line desc nulls last) = 1
)
select row_number() over (order by host_id, sql_instance, ready, content_id, line) as start_id, host_id, sql_instance,
       content_id, line, ready, time_local, coalesce(least(banner, ready), ready) as started, banner_line, reported,
       last_process, process
from begun;

create or replace table scratch.restart_signs as
with alone as (
    select host_id, count(distinct sql_instance) <= 1 as is_alone from captures where host_id is not null group by host_id
),
lives as (
    select c.host_id, c.sql_instance, c.content_id, c.last_time - to_microseconds(coalesce(k.ahead_us, 0)) as time,
           if(c.reader = 'errorlog', 'ERRORLOG', 'Extended Events') as what
    from captures c
    left join reference_clock k using (host_id)
    where c.host_id is not null and c.last_time is not null and c.kind in ('SQL Server ERRORLOG', 'Extended Events file')
)
select s.start_id, l.time, l.what, l.content_id
from scratch.restart_starts s
join lives l on l.host_id = s.host_id and l.time <= s.started and l.content_id <> s.content_id
join alone a on a.host_id = s.host_id
where l.sql_instance is not distinct from s.sql_instance or a.is_alone
union all
-- One log may hold several starts.
select s.start_id, max(e.time) - to_microseconds(coalesce(k.ahead_us, 0)), 'ERRORLOG', s.content_id
from scratch.restart_starts s
left join reference_clock k using (host_id)
join errorlog e on e.content_id = s.content_id and e.line < coalesce(s.banner_line, s.line)
where e.time - to_microseconds(coalesce(k.ahead_us, 0)) <= s.started and s.banner_line > 1
group by s.start_id, s.content_id, k.ahead_us;

insert into scratch.restart_signs
select s.start_id, s.reported, 'message 17176 of the next start', s.content_id
from scratch.restart_starts s
where s.reported <= s.started and s.start_id in (select start_id from scratch.restart_signs);

insert into scratch.restart_signs
select s.start_id, max(t.time) as at,
       concat('connection noted by ', t.host_id), null
from scratch.restart_starts s
join scratch.timeline_told t
  on t.kind in ('connected', 'database_connected') and t.host_id <> s.host_id
 and upper(split_part(split_part(t.replica, '\', 1), '.', 1)) = s.host_id
 and coalesce(nullif(upper(split_part(t.replica, '\', 2)), ''), 'MSSQLSERVER') = coalesce(s.sql_instance, 'MSSQLSERVER')
where t.time <= s.started
  and s.start_id in (select start_id from scratch.restart_signs)
group by s.start_id, t.host_id;
