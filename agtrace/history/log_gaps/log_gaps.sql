-- Which part of each server's ERRORLOGs did a collector leave out, and does another copy of the log have it?
with gaps as (
    select f.host_id, f.capture_id, f.content_id, f.item,
           max(f.time_local) filter (f.key = 'from') as start_local, max(f.time_local) filter (f.key = 'to') as end_local,
           max(f.time) filter (f.key = 'from') as start, max(f.time) filter (f.key = 'to') as "end"
    from facts f
    where f.topic = 'errorlog_gap'
    group by all
),
logs as (
    select capture_id, content_id, host_id, sql_instance, first_local, last_local
    from captures
    where reader = 'errorlog'
)
select g.host_id, l.sql_instance, g.capture_id, g.content_id, g.start, g."end", g.start_local, g.end_local,
       exists (
           from logs o
           where o.host_id = g.host_id and o.content_id <> g.content_id
             and o.sql_instance is not distinct from l.sql_instance
             and o.first_local <= g.start_local and o.last_local >= g.end_local
             and o.content_id not in (select content_id from gaps where host_id is not null)
       ) as is_filled
from gaps g
left join logs l using (capture_id)
