-- What do the ERRORLOGs say about trace flags: at each start of the server, and by DBCC?
-- Start-up parameters tell of every flag: those that nothing in the case names are one row without
-- a number. A log that was only cycled is no start, though it may repeat the parameters: they tell
-- nothing where anything else was said before.
with named as (
    select distinct key as flag from facts
    where topic in ('startup_flag', 'trace_flag') and try_cast(key as bigint) is not null
    union all
    select null
),
starts as (
    select f.content_id, f.item, n.flag, any_value(f.host_id) as host_id, min(f.time) as time,
           coalesce(min(f.line) filter (f.topic = 'startup_flag' and f.key = n.flag),
                    min(f.line) filter (f.key = 'startup_parameter')) as line,
           coalesce(bool_or(f.topic = 'startup_flag' and f.key = n.flag), false) as is_on,
           f.content_id in (select content_id from messages where topic = 'reinitialized') as is_cycled
    from facts f cross join named n
    where f.topic in ('startup', 'startup_flag')
    group by f.content_id, f.item, n.flag
    having bool_or(f.key = 'startup_parameter')
),
said as (
    select content_id, host_id, flag, time, line, is_on, is_cycled,
           if(is_on, 'start-up parameter -T', 'start-up parameters without -T') || flag as what
    from starts
    union all
    select content_id, host_id, key, time, line, value = 'on', false,
           if(value = 'on', 'DBCC TRACEON (', 'DBCC TRACEOFF (') || key || ')'
    from facts
    where topic = 'trace_flag' and try_cast(key as bigint) is not null
)
select s.host_id, try_cast(s.flag as bigint) as flag, s.is_on, s.time as start,
       lead(s.time) over (partition by s.host_id, s.flag order by s.time, s.line) as "end",
       s.what, s.content_id, c.path, s.line
from said s
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
where s.host_id is not null and s.time is not null
  and (not s.is_cycled or (s.is_on and not exists (
       select 1 from said o where o.host_id = s.host_id and o.flag is not distinct from s.flag and o.time < s.time)))
order by s.host_id, flag, s.time, s.line;
