-- Which ERRORLOGs hold a change of daylight saving? A log states its offset once, at its start. Entries that the
-- Extended Events sessions of the same server keep as well tell the offset that is true at their line; local
-- times that step back by most of an hour tell it without them.
create or replace table scratch.daylight_marks as
with logs as (
    select o.content_id, o.host_id, min(k.offset_minutes) as offset_minutes
    from contents o
    join clocks k on k.capture_id = o.capture_id
    where o.content_id in (select content_id from captures where first_entry is not null) and o.host_id is not null
    group by o.content_id, o.host_id
    having count(*) = 1
),
written as (
    select l.host_id, m.content_id, m.line, m.time_local - to_minutes(l.offset_minutes) as moment,
           hash(m.fields['ag'], m.fields['old_state'], m.fields['new_state']) as words
    from raw_messages m
    join logs l on l.content_id = m.content_id
    where m.message_id = 19406
    union all
    select l.host_id, e.content_id, e.line, e.time_local - to_minutes(l.offset_minutes), hash(left(trim(e.message), 200))
    from raw_errorlog e
    join logs l on l.content_id = e.content_id
    semi join scratch.daylight_kept k on k.host_id = l.host_id and k.words = hash(left(trim(e.message), 200))
),
near as (
    select w.content_id, w.line, round(date_diff('millisecond', k.moment, w.moment) / 3600000.0) * 60 as minutes
    from written w
    join scratch.daylight_kept k
      on k.host_id = w.host_id and k.words = w.words
     and k.moment between w.moment - interval 61 minutes and w.moment + interval 61 minutes
     and abs(date_diff('millisecond', k.moment, w.moment) - round(date_diff('millisecond', k.moment, w.moment) / 3600000.0) * 3600000) <= 5000
)
-- What fits two offsets tells none.
select content_id, line, min(minutes)::integer as minutes
from near
group by content_id, line
having count(distinct minutes) = 1;
