-- What do the ERRORLOGs say about a trace flag: at each start of the server, and by DBCC?
-- A log that was only cycled repeats the banner without parameters: it is no start.
with starts as (
    select f.content_id, f.item, any_value(f.host_id) as host, min(f.time) as time,
           arg_min(f.line, f.line) as line,
           bool_or(f.topic = 'startup_flag' and f.key = $flag) as is_on
    from facts f
    where f.topic in ('startup', 'startup_flag')
    group by f.content_id, f.item
    having bool_or(f.key = 'startup_parameter')
),
said as (
    select content_id, host, time, line, is_on,
           if(is_on, 'start-up parameter -T' || $flag, 'start-up parameters without -T' || $flag) as what
    from starts
    union all
    select content_id, host_id, time, line, value = 'on',
           if(value = 'on', 'DBCC TRACEON (' || $flag || ')', 'DBCC TRACEOFF (' || $flag || ')')
    from facts
    where topic = 'trace_flag' and key = $flag
)
select s.host, s.is_on, s.time, s.what, c.path, s.line
from said s
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
where s.host is not null and s.time is not null
order by s.host, s.time, s.line;
