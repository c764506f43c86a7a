-- What did Windows log on each host? An event that two files tell counts once: of the files that
-- hold events of a log, source and number in a second, the one that holds most of them is taken.
with utc as (
    select distinct content_id from raw_facts where topic = 'event_log' and key = 'utc'
),
-- How far a host's local time is from UTC, where all its captures agree.
offsets as (
    select c.host_id, any_value(k.offset_minutes) as offset_minutes
    from clocks k
    join captures c using (capture_id)
    where c.host_id is not null and k.source <> 'UTC by the format'
    group by c.host_id
    having count(distinct k.offset_minutes) = 1
),
events as (
    select o.capture_id, e.content_id, e.line, o.host_id, o.sql_instance, o.path,
           if(u.content_id is null, e.time_local, e.time_local + to_minutes(f.offset_minutes)) as time_local,
           (e.time_local - to_minutes(k.offset_minutes)) at time zone 'UTC' as time,
           e.log, e.level, e.source, e.event_id, e.computer, e.category, e."user", e.message,
           u.content_id is not null as is_utc
    from raw_os_events e
    join contents o using (content_id)
    left join utc u using (content_id)
    left join offsets f using (host_id)
    left join clocks k
      on k.capture_id = o.capture_id and e.time_local >= k.local_from and e.time_local < k.local_to
),
keyed as (
    select *, date_trunc('second', coalesce(time::timestamp, time_local)) as second,
           lower(left(source, 50)) as program
    from events
),
-- Without a host, a log or a time nothing says that two events are one.
comparable as (
    select * from keyed where host_id is not null and log is not null and second is not null
),
holders as (
    select host_id, log, program, event_id, second, content_id, path
    from comparable
    group by host_id, log, program, event_id, second, content_id, path
    qualify row_number() over (
        partition by host_id, log, program, event_id, second
        order by count(*) desc, bool_or(is_utc), sum(length(message)) desc, path) = 1
),
once as (
    select c.*
    from comparable c
    join holders h
      on h.content_id = c.content_id and h.host_id = c.host_id and h.log = c.log and h.second = c.second
     and h.program is not distinct from c.program and h.event_id is not distinct from c.event_id
    union all
    select * from keyed where host_id is null or log is null or second is null
)
select capture_id, content_id, line, host_id, sql_instance, time_local, time, log, level, source, event_id,
       computer, category, "user", message
from once
order by coalesce(time::timestamp, time_local), path, line;
