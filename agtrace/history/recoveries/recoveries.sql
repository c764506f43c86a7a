-- How long did each recovery of a database take (3421), of that its three phases, and did the server call its virtual log
-- files too many meanwhile (9017)? At a failover the database becomes PRIMARY first and is available after its recovery.
with told as (
    select m.content_id, m.line, m.host_id, c.sql_instance, m.fields['database'] as "database", m.fields['event'] as event,
           m.time, m.time_local, m.fields
    from messages m
    left join contents c on c.content_id = m.content_id
    where m.topic = 'recovery' and m.host_id is not null
),
completed as (
    select *, try_cast(fields['seconds'] as bigint) as seconds from told where event = 'completed'
),
bounded as (
    select *, time - to_seconds(seconds) as start, time_local - to_seconds(seconds) as start_local from completed
),
warned as (
    select b.content_id, b.line, max(try_cast(w.fields['count'] as bigint)) as vlf_limit, max(w.line) as vlf_line
    from bounded b
    join told w on w.event = 'many_vlfs' and w.content_id = b.content_id and w."database" = b."database" and w.line < b.line
     and w.time_local >= b.start_local - interval 5 seconds
    group by all
),
promoted as (
    select b.content_id, b.line, max(r.time_local) as promoted_local
    from bounded b
    join messages r on r.topic = 'role_change' and r.content_id = b.content_id and r.fields['database'] = b."database"
     and upper(r.fields['new_role']) = 'PRIMARY' and abs(epoch(r.time_local) - epoch(b.start_local)) <= $around_s
    group by all
)
select b.host_id, b.sql_instance, b."database", b.start, b.time as "end", b.start_local, b.time_local as end_local, b.seconds,
       try_cast(b.fields['analysis_ms'] as bigint) as analysis_ms, try_cast(b.fields['redo_ms'] as bigint) as redo_ms,
       try_cast(b.fields['undo_ms'] as bigint) as undo_ms, w.vlf_limit, w.vlf_line, p.promoted_local, b.content_id, b.line
from bounded b
left join warned w on w.content_id = b.content_id and w.line = b.line
left join promoted p on p.content_id = b.content_id and p.line = b.line
order by b.start_local, b.host_id, b."database", b.line;
