-- What do the ERRORLOGs say about a trace flag: at each start of the server, and by DBCC?
-- A log that was only cycled is no start, though it may repeat the parameters: they tell nothing
-- where anything else was said before.
with starts as (
    select f.content_id, f.item, any_value(f.host_id) as host, min(f.time) as time,
           coalesce(min(f.line) filter (f.topic = 'startup_flag' and f.key = $flag),
                    min(f.line) filter (f.key = 'startup_parameter')) as line,
           bool_or(f.topic = 'startup_flag' and f.key = $flag) as is_on,
           f.content_id in (select content_id from messages where topic = 'reinitialized') as is_cycled
    from facts f
    where f.topic in ('startup', 'startup_flag')
    group by f.content_id, f.item
    having bool_or(f.key = 'startup_parameter')
),
said as (
    select content_id, host, time, line, is_on, is_cycled,
           if(is_on, 'start-up parameter -T' || $flag, 'start-up parameters without -T' || $flag) as what
    from starts
    union all
    select content_id, host_id, time, line, value = 'on', false,
           if(value = 'on', 'DBCC TRACEON (' || $flag || ')', 'DBCC TRACEOFF (' || $flag || ')')
    from facts
    where topic = 'trace_flag' and key = $flag
)
select s.host, s.is_on, s.time, s.what, c.path, s.line
from said s
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
where s.host is not null and s.time is not null
  and (not s.is_cycled or (s.is_on and not exists (
       select 1 from said o where o.host = s.host and o.time < s.time)))
order by s.host, s.time, s.line;
