-- Which time did a collector leave out of each server's ERRORLOGs, unless another copy of the log has it?
with gaps as (
    select f.host_id, f.capture_id, f.content_id, f.item,
           max(f.time_local) filter (f.key = 'from') as local_from, max(f.time_local) filter (f.key = 'to') as local_to,
           max(f.time) filter (f.key = 'from') as time_from, max(f.time) filter (f.key = 'to') as time_to
    from facts f
    where f.topic = 'errorlog_gap' and f.host_id is not null
    group by all
),
logs as (
    select capture_id, content_id, host_id, sql_instance, first_local, last_local
    from captures
    where reader = 'errorlog'
)
select distinct g.host_id, l.sql_instance, g.time_from, g.time_to, g.local_from, g.local_to
from gaps g
left join logs l using (capture_id)
where not exists (
    from logs o
    where o.host_id = g.host_id and o.content_id <> g.content_id
      and o.sql_instance is not distinct from l.sql_instance
      and o.first_local <= g.local_from and o.last_local >= g.local_to
      and o.content_id not in (select content_id from gaps)
)
