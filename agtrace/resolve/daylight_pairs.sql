-- Which lines of a log are told by another server, and by how many minutes is the offset off there? Both ends of a
-- connection note it within moments, and name it by the ids of their replicas. A log is right about its offset when it
-- begins: one that began later shows what changed between its own begin and that of the earlier one.
with logs as (
    select o.content_id, o.host_id, min(k.offset_minutes) as offset_minutes, min(c.first_time)::timestamp as began
    from contents o
    join captures c on c.capture_id = o.capture_id
    join clocks k on k.capture_id = o.capture_id
    where c.first_entry is not null and o.host_id is not null and c.first_time is not null
    group by o.content_id, o.host_id
    having count(*) = 1
),
noted as (
    select l.content_id, l.host_id, l.began, m.line, m.time_local - to_minutes(l.offset_minutes) as moment,
           list_sort([upper(m.fields['from_replica_id']), upper(m.fields['replica_id'])]) as ids
    from raw_messages m
    join logs l on l.content_id = m.content_id
    where m.message_id = 35202 and m.fields['from_replica_id'] is not null and m.fields['replica_id'] is not null
),
witnesses as (
    select host_id, began, moment, ids from noted
    union all
    select host_id, null, moment, ids from daylight_connected
),
near as (
    select a.content_id, a.line, b.began, date_diff('millisecond', b.moment, a.moment) as ms,
           round(date_diff('millisecond', b.moment, a.moment) / 3600000.0) * 60 as minutes
    from noted a
    join witnesses b
      on b.ids = a.ids and b.host_id <> a.host_id and (b.began is null or b.began > a.began)
     and b.moment between a.moment - interval 61 minutes and a.moment + interval 61 minutes
    where a.content_id in (select unnest($logs::varchar[]))
),
told as (
    -- What fits two offsets tells none; a log that began later may have changed as well.
    select content_id, line, min(minutes)::integer as minutes, min(began) as began
    from near
    where abs(ms - minutes * 60000) <= 10000
    group by content_id, line
    having count(distinct minutes) = 1 and (min(minutes) <> 0 or bool_and(began is null))
),
-- The change lies before the begin of the log that shows it: what is later than that, even by the offset of before, is off.
shown as (
    select content_id, minutes, min(began) as began from told where began is not null group by content_id, minutes
)
select content_id, line, minutes from told
union
select s.content_id, min(e.line), s.minutes
from shown s
join logs l on l.content_id = s.content_id
join raw_errorlog e on e.content_id = s.content_id and e.time_local - to_minutes(l.offset_minutes) >= s.began
group by s.content_id, s.minutes
order by content_id, line;
