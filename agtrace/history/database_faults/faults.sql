-- Which databases could not be written, redone or recovered, why, and from when to when?
-- A full log is told with each write that fails (message 9002): entries of one database and reason are one fault as
-- long as they follow each other. Why a recovery failed (3414, 3313) its session logged just before: a page (823, 824,
-- 825, 829), a file (3633, 5120, 5123, 5133, 5149, 17204, 17207, 17053), the log itself (9001, 9003, 9004), redo (3456, 3313),
-- a certificate (33111) or MSDTC (3437).
with told as (
    select m.host_id, c.sql_instance, m.fields['database'] as "database", m.fields['event'] as kind,
           m.fields['reason'] as reason, m.time, m.time_local, m.content_id, m.line, e.source
    from messages m
    left join contents c on c.content_id = m.content_id
    left join errorlog e on e.content_id = m.content_id and e.line = m.line
    where m.topic = 'database_fault' and m.host_id is not null
),
stepped as (
    select *, coalesce(date_diff('second', lag(time_local) over w, time_local) > $apart_s, true)::int as is_new
    from told
    window w as (partition by host_id, sql_instance, "database", kind, reason order by time_local, content_id, line)
),
numbered as (
    select *, sum(is_new) over (partition by host_id, sql_instance, "database", kind, reason
                                order by time_local, content_id, line) as fault
    from stepped
),
faults as (
    select host_id, sql_instance, "database", kind, reason, min(time) as start, max(time) as "end",
           min(time_local) as start_local, max(time_local) as end_local, count(*) as entries,
           arg_min(content_id, (time_local, content_id, line)) as content_id,
           arg_min(line, (time_local, content_id, line)) as line,
           arg_min(source, (time_local, content_id, line)) as source
    from numbered
    group by host_id, sql_instance, "database", kind, reason, fault
),
causes as (
    select f.content_id, f.line, max_by({'error': e.error, 'line': e.line, 'text': left(e.message, 400)}, e.line) as cause
    from faults f
    join errorlog e
      on e.content_id = f.content_id and e.line < f.line and e.source = f.source
     and e.time_local >= f.start_local - to_seconds($caused_s)
    where f.kind <> 'log_full'
      and e.error in (823, 824, 825, 829, 3313, 3437, 3456, 3633, 5120, 5123, 5133, 5149, 9001, 9003, 9004, 17053, 17204, 17207, 33111)
    group by all
)
select f.host_id, f.sql_instance, f."database", f.kind, f.reason, f.start, f."end", f.start_local, f.end_local,
       f.entries, c.cause.error as cause_error, c.cause.text as cause, c.cause.line as cause_line,
       f.content_id, f.line
from faults f
left join causes c on c.content_id = f.content_id and c.line = f.line
order by f.start_local, f.host_id, f."database", f.kind, f.reason;
