-- Which lines of a log at which a group got its primary does the cluster tell, and by how many minutes is the offset off there?
with logs as (
    select o.content_id, o.host_id, min(k.offset_minutes) as offset_minutes
    from contents o
    join clocks k on k.capture_id = o.capture_id
    where o.content_id in (select unnest($logs::varchar[]))
    group by o.content_id, o.host_id
    having count(*) = 1
),
written as (
    select l.host_id, m.content_id, m.line, m.time_local - to_minutes(l.offset_minutes) as moment, lower(m.fields['ag']) as ag
    from raw_messages m
    join logs l on l.content_id = m.content_id
    where m.message_id = 19406 and m.fields['new_state'] = 'PRIMARY_NORMAL'
),
near as (
    select w.content_id, w.line, date_diff('millisecond', k.moment, w.moment) as ms,
           round(date_diff('millisecond', k.moment, w.moment) / 3600000.0) * 60 as minutes
    from written w
    join scratch.daylight_online k
      on k.host_id = w.host_id and k.ag = w.ag
     and k.moment between w.moment - interval 61 minutes and w.moment + interval 61 minutes
)
-- What fits two offsets tells none. An hour that repeats shows by itself.
select content_id, line, min(minutes)::integer as minutes
from near
where abs(ms - minutes * 60000) <= 5000
group by content_id, line
having count(distinct minutes) = 1 and min(minutes) in (0, 60)
order by content_id, line;
