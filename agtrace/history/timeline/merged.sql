-- What happened, each event once, with all that tell it? Most are told once: those are not grouped, which takes memory.
with alone as (
    select s.words, t.*
    from (select words, ids[1] as id from scratch.timeline_same where len(ids) = 1) s
    join scratch.timeline_told t on t.rowid = s.id
),
several as (
    select s.number, s.words, t.*, epoch_us(coalesce(t.time::timestamp, t.time_local)) as us
    from (select number, words, unnest(ids) as id
          from (select row_number() over () as number, words, ids from scratch.timeline_same where len(ids) > 1)) s
    join scratch.timeline_told t on t.rowid = s.id
),
every_one as (
    select time, until, time_local, ag, host_id, replica, database, kind, before, after, value, unit, sql_percent,
           thing, text, ahead_us,
           [{'source': source, 'host_id': witness, 'content_id': content_id, 'line': line, 'time': own_time}] as witnesses,
           epoch_us(coalesce(time::timestamp, time_local)) as us, rank, line, words
    from alone
    union all
    select arg_min(time, (rank, us, content_id, line)), max(until), min(time_local), max(ag), any_value(host_id),
           max(replica), max(database), any_value(kind), max(before), max(after), max(value), max(unit), max(sql_percent),
           max(thing), arg_min(text, (rank, us, content_id, line)), arg_min(ahead_us, (rank, us, content_id, line)),
           list({'source': source, 'host_id': witness, 'content_id': content_id, 'line': line, 'time': own_time}
                order by rank, us, content_id, line),
           min(us), min(rank), min(line), any_value(words)
    from several
    group by number
)
select time, until as "end", time_local, ag, host_id, null::varchar as sql_instance, replica, database, kind,
       before, after, value, unit, sql_percent, thing, text, ahead_us / 1000 as skew_ms, witnesses
from every_one
order by us, rank, host_id, line, kind, value desc nulls last, words;
