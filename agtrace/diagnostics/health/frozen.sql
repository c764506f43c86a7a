-- For how long was each database frozen for a snapshot backup (3197 to 3198), and what did it commit meanwhile and in
-- the minute before? A freeze ends with the next 3198 of the database, unless it is frozen again before.
-- null: start, end, end_local, seconds, before, frozen
with marks as (
    select m.content_id, m.line, coalesce(m.host_id, '') as host_id, m.fields['database'] as "database", m.topic, m.time, m.time_local,
           lead(m.topic) over w as next, lead(m.time_local) over w as end_local, lead(m.time) over w as "end"
    from log_messages m
    where m.topic in ('frozen', 'resumed')
    window w as (partition by m.content_id, m.fields['database'] order by m.time_local, m.line)
),
freezes as (
    select content_id, line, host_id, "database", time as start, time_local as start_local,
           if(next = 'resumed', "end", null) as "end", if(next = 'resumed', end_local, null) as end_local,
           if(next = 'resumed', epoch(end_local) - epoch(time_local), null) as seconds
    from marks
    where topic = 'frozen'
),
rates as (
    select f.content_id, f.line, avg(v.value) filter (v.time < f.start) as before,
           avg(v.value) filter (v.time > f.start) as frozen
    from freezes f
    join counter_values v on v.host_id = f.host_id and v.object = 'SQLServer:Databases' and v.counter = 'Transactions/sec'
     and v.instance = f."database" and v.value is not null and v.time > f.start - interval 1 minute and v.time < f."end"
    group by all
)
select f.*, r.before, r.frozen
from freezes f
left join rates r on r.content_id = f.content_id and r.line = f.line
order by f.host_id, f."database", f.start_local, f.line
