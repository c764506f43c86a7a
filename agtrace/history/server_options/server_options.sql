-- Which value had each configuration option of a server, and from when to when?
-- Message 15457 tells the value before a change and the one after it: what it was before the first
-- change is known as well. A look at sys.configurations tells the value of its moment; looks that follow
-- each other and show the same are one stretch, and nothing is said of the time beyond them. Where a
-- collector left something out of the log, a change may have been: no value is carried across it.
with changes as (
    select distinct on (m.host_id, m.sql_instance, m.option, m.time_local)
           m.host_id, m.sql_instance, m.option, m.old_value, m.new_value, m.time, m.time_local,
           m.content_id, m.line
    from (
        select m.*, fields['option'] as option, fields['old_value'] as old_value,
               fields['new_value'] as new_value
        from log_messages m
        where topic = 'option_changed'
    ) m
    where m.host_id is not null and m.option is not null
    order by m.host_id, m.sql_instance, m.option, m.time_local, m.line desc
),
placed as (
    select *, lead(time) over w as next_time, lead(time_local) over w as next_local,
           lag(time_local) over w as before_local
    from changes
    window w as (partition by host_id, sql_instance, option order by time_local)
),
-- Since when the log tells everything before a change, and until when it does behind it.
bounds as (
    select p.host_id, p.sql_instance, p.time_local,
           max(g."end") filter (g.end_local <= p.time_local) as since,
           max(g.end_local) filter (g.end_local <= p.time_local) as since_local,
           min(greatest(p.time, coalesce(g.start, p.time))) filter (p.time_local < coalesce(g.end_local, 'infinity')) as stop,
           min(greatest(p.time_local, coalesce(g.start_local, p.time_local)))
               filter (p.time_local < coalesce(g.end_local, 'infinity')) as stop_local
    from (select distinct host_id, sql_instance, time, time_local from placed) p
    join log_gaps g
      on g.host_id = p.host_id and not g.is_filled and coalesce(g.sql_instance = p.sql_instance, true)
    group by p.host_id, p.sql_instance, p.time_local
),
bounded as (
    select p.*, b.* exclude (host_id, sql_instance, time_local)
    from placed p
    left join bounds b
      on b.host_id = p.host_id and b.sql_instance is not distinct from p.sql_instance and b.time_local = p.time_local
),
stretches as (
    select host_id, sql_instance, option, old_value as value, since as start, time as "end",
           since_local as start_local, time_local as end_local, content_id, line
    from bounded
    where before_local is null or since_local > before_local
    union all
    select host_id, sql_instance, option, new_value, time, least(next_time, stop), time_local,
           least(next_local, stop_local), content_id, line
    from bounded
),
options as (
    select f.host_id, f.capture_id, f.content_id, f.item, max(f.value) filter (f.key = 'name') as option,
           coalesce(max(f.value) filter (f.key = 'value_in_use'), max(f.value) filter (f.key = 'value')) as value,
           min(f.time) - to_microseconds(coalesce(any_value(k.ahead_us), 0)) as time, min(f.time_local) as time_local, min(f.line) as line
    from facts f left join reference_clock k using (host_id)
    where f.topic = 'configuration' and f.host_id is not null
    group by all
),
looks as (
    select distinct on (o.host_id, c.sql_instance, o.option, o.time_local) o.*, c.sql_instance
    from options o
    left join captures c using (capture_id)
    where o.option is not null and o.value is not null and o.time_local is not null
    order by o.host_id, c.sql_instance, o.option, o.time_local, c.path, o.line
),
turns as (
    select *, value is distinct from lag(value) over w as is_new
    from looks
    window w as (partition by host_id, sql_instance, option order by time_local)
),
runs as (
    select *, count(if(is_new, 1, null)) over (partition by host_id, sql_instance, option order by time_local) as run
    from turns
),
told as (
    select *, 'message 15457' as what from stretches
    union all by name
    select host_id, sql_instance, option, any_value(value) as value, min(time) as start, max(time) as "end",
           min(time_local) as start_local, max(time_local) as end_local,
           arg_min(content_id, time_local) as content_id, arg_min(line, time_local) as line,
           'sys.configurations' as what
    from runs
    group by host_id, sql_instance, option, run
)
select s.host_id, s.sql_instance, s.option, s.value, s.start, s."end", s.start_local, s.end_local, s.content_id, s.line,
       s.what, c.path
from told s
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
order by host_id, sql_instance, option, end_local nulls last, start_local nulls first;
