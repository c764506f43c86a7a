-- When was an instance started again, since when had it been away, and did it say why? The last sign of life
-- is that of its own logs and sessions before the start.
with lives as (
    select host_id, first_time, last_time, kind like '%ERRORLOG%' as is_log, content_id
    from captures
    where host_id is not null and last_time is not null and kind in ('SQL Server ERRORLOG', 'Extended Events file')
),
starts as (
    select t.host_id, t.content_id, t.line, t.time as ready, t.time_local,
           -- The log of a start begins with it; one that was begun anew later holds no start.
           if(l.first_time >= t.time - interval 30 minutes, least(l.first_time, t.time), t.time) as start
    from scratch.timeline_told t
    join lives l on l.content_id = t.content_id and l.host_id = t.host_id
    where t.kind = 'ready' and t.source = 'ERRORLOG' and t.time is not null
),
before as (
    select s.host_id, s.content_id, s.line, s.ready, s.start, s.time_local,
           max(l.last_time) filter (l.last_time <= s.start) as last_sign,
           bool_or(l.is_log and l.last_time <= s.start) as has_log
    from starts s
    join lives l on l.host_id = s.host_id and l.content_id <> s.content_id
    group by all
),
said as (
    select b.content_id, b.line, min(t.time) as stopped, arg_min(t.kind, t.time) as why
    from before b
    join scratch.timeline_told t
      on t.host_id = b.host_id and t.kind in ('stop_requested', 'system_shutdown') and t.source = 'ERRORLOG'
     and t.time <= b.start and t.time > b.start - interval 1 day
    -- A stop counts for the start that follows it.
    anti join before other
      on other.host_id = t.host_id and other.start >= t.time and other.start < b.start
    group by all
)
select 'ERRORLOG' as source, 1 as rank, b.content_id, b.line, b.host_id as witness, b.host_id,
       coalesce(s.stopped, b.last_sign) as time, null::timestamp as time_local, null::varchar as ag,
       null::varchar as replica, null::varchar as database, 'restart' as kind, null::varchar as before,
       case s.why when 'stop_requested' then 'stopped' when 'system_shutdown' then 'shutdown'
                  else if(b.has_log, 'died', 'open') end as after,
       date_diff('millisecond', coalesce(s.stopped, b.last_sign), b.ready) / 1000.0 as value, 's' as unit,
       concat('restart: ', case s.why when 'stop_requested' then 'the service was asked to stop'
              when 'system_shutdown' then 'the system was shut down' else 'no word of a stop before it' end) as text,
       b.ready as until
from before b
left join said s on s.content_id = b.content_id and s.line = b.line
where coalesce(s.stopped, b.last_sign) is not null;
