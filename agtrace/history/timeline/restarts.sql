-- How did each instance end before it was started again, when was it last alive, and when was it gone for sure?
create or replace table scratch.timeline_restarts as
with last_signs as (
    select start_id, max(time) as last_sign, arg_max(what, (time, what)) as last_sign_by,
           arg_max(content_id, (time, what)) as last_sign_content_id, max(time) filter (what = 'ERRORLOG') as logged
    from scratch.restart_signs
    where time is not null
    group by start_id
),
before as (
    select s.*, l.* exclude (start_id),
           -- The log before is there where the numbers of the files say so, or the process that the start names wrote it.
           exists (
               from coverage c
               where c.source = 'ERRORLOG' and c.host_id = s.host_id and c.sql_instance is not distinct from s.sql_instance
                 and c.first <= l.logged and c.last >= s.started
           ) or coalesce(s.last_process = (
               select arg_max(o.process, o.started) from scratch.restart_starts o
               where o.host_id = s.host_id and o.sql_instance is not distinct from s.sql_instance and o.started < s.started
           ), false) as has_log
    from scratch.restart_starts s
    join last_signs l using (start_id)
),
stops as (
    select t.host_id, c.sql_instance, t.content_id, t.line, t.time, t.kind
    from scratch.timeline_told t
    join (select content_id, min(sql_instance) as sql_instance from captures group by content_id) c using (content_id)
    where t.kind in ('stop_requested', 'system_shutdown') and t.source = 'ERRORLOG' and t.time is not null
),
said as (
    select b.start_id, min(t.time) as asked, arg_min(t.kind, t.time) as why,
           arg_min(t.content_id, t.time) as asked_content_id, arg_min(t.line, t.time) as asked_line
    from before b
    join stops t
      on t.host_id = b.host_id and t.sql_instance is not distinct from b.sql_instance and t.time <= b.started
    -- A stop counts for the start that follows it, however long after; where no log is missing between the two.
    anti join scratch.restart_starts other
      on other.host_id = t.host_id and other.sql_instance is not distinct from t.sql_instance
     and other.started >= t.time and other.started < b.started
    where b.has_log
    group by b.start_id
),
-- What proves the end of the process, and what a partner missed of it.
proofs as (
    select b.start_id, min(t.time) as gone, arg_min(t.kind, t.time) as what
    from before b
    join scratch.timeline_told t
      on t.host_id = b.host_id and t.kind in ('service_died', 'server_died') and t.time > b.last_sign and t.time <= b.started
    group by b.start_id
),
missed as (
    select b.start_id, min(t.time) as since, arg_min(t.witness, t.time) as by_host
    from before b
    join scratch.timeline_told t
      on t.kind in ('connection_timeout', 'database_disconnected') and t.witness <> b.host_id
     and upper(split_part(split_part(t.replica, '\', 1), '.', 1)) = b.host_id
     and coalesce(nullif(upper(split_part(t.replica, '\', 2)), ''), 'MSSQLSERVER') = coalesce(b.sql_instance, 'MSSQLSERVER')
     and t.time > coalesce(b.last_sign, t.time) and t.time <= b.started
    group by b.start_id
)
select b.host_id, b.sql_instance,
       case s.why when 'stop_requested' then 'stopped' when 'system_shutdown' then 'shutdown'
                  else if(b.has_log, 'died', 'open') end as kind,
       s.asked, b.last_sign, b.last_sign_by, coalesce(p.gone, b.started) as gone_by, coalesce(p.what, 'next start') as gone_by_what,
       m.since as missed_since, m.by_host as missed_by, b.started, b.ready, b.content_id, b.line, s.asked_content_id, s.asked_line,
       b.last_sign_content_id
from before b
left join said s using (start_id)
left join proofs p using (start_id)
left join missed m using (start_id)
order by b.started, b.host_id, b.sql_instance, b.line;

insert into scratch.timeline_told by name
select 'ERRORLOG' as source, 1 as rank, content_id, line, host_id as witness, host_id, coalesce(asked, last_sign) as time,
       coalesce(asked, last_sign) + to_microseconds(coalesce(k.ahead_us, 0)) as own_time, k.ahead_us,
       null::timestamp as time_local, null::varchar as ag, null::varchar as replica, null::varchar as database,
       'restart' as kind, null::varchar as before, kind as after,
       date_diff('millisecond', coalesce(asked, last_sign), ready) / 1000.0 as value, 's' as unit,
       concat('restart: ', case kind when 'stopped' then 'the service was asked to stop'
              when 'shutdown' then 'the system was shut down' else 'no word of a stop before it' end) as text,
       ready as until
from scratch.timeline_restarts
left join reference_clock k using (host_id);
