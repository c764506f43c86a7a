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
    select host_id, null, moment, ids from scratch.daylight_connected
    union all
    -- Where the change inside a log is settled, its entries are right on both sides of it.
    select m.host_id, null, m.time::timestamp, list_sort([upper(m.fields['from_replica_id']), upper(m.fields['replica_id'])])
    from messages m
    where m.message_id = 35202 and m.time is not null and m.host_id is not null
      and m.fields['from_replica_id'] is not null and m.fields['replica_id'] is not null
      and m.content_id in (select content_id from clocks group by content_id, capture_id having count(*) = 2)
),
near as (
    select a.content_id, a.line, a.began as own, b.began, b.host_id, b.moment, b.ids,
           date_diff('millisecond', b.moment, a.moment) as ms,
           round(date_diff('millisecond', b.moment, a.moment) / 3600000.0) * 60 as minutes
    from noted a
    join witnesses b
      on b.ids = a.ids and b.host_id <> a.host_id
     and b.moment between a.moment - interval 61 minutes and a.moment + interval 61 minutes
    where a.content_id in (select unnest($logs::varchar[]))
),
fitting as (
    select *, min(minutes) over here as least_here, max(minutes) over here as most_here,
           min(minutes) over there as least_there, max(minutes) over there as most_there
    from near
    where abs(ms - minutes * 60000) <= 10000
    window here as (partition by content_id, line), there as (partition by content_id, host_id, moment, ids)
),
told as (
    -- What fits two offsets, at either end, tells none, whoever noted it.
    select content_id, line, min(minutes)::integer as minutes, min(began) filter (began > own) as began
    from fitting
    where least_here = most_here and least_there = most_there and (began is null or began > own)
    group by content_id, line
),
-- An hour that repeats shows by itself. A log that began later still and fits says that nothing changed.
missing as (
    select * from told t
    where minutes = 60
      and not exists (from told o where o.content_id = t.content_id and o.minutes = 0 and o.began >= t.began)
),
-- The change lies before the begin of the log that shows it: what is later than that, even by the offset of before, is off.
shown as (
    select content_id, min(began) as began from missing where began is not null group by content_id
)
select content_id, line, minutes from missing
union
select content_id, line, minutes from told where minutes = 0 and began is null
union
select s.content_id, min(e.line), 60
from shown s
join logs l on l.content_id = s.content_id
join raw_errorlog e on e.content_id = s.content_id and e.time_local - to_minutes(l.offset_minutes) >= s.began
group by s.content_id
order by content_id, line;
