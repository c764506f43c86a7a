-- Which entries of the ERRORLOGs tell of the group, of its servers' health, or of a stop? By number; what the
-- log writes in English in every language (stacks of dumps, checkpoints) by its beginning.
with told as (
    select m.content_id, m.line, m.host_id, m.time, m.time_local, k.kind, m.fields
    from messages m
    join scratch.timeline_kinds k on k.message_id = m.message_id
    where m.topic in ('role_change', 'replica_state', 'lease', 'connection', 'database_connection', 'data_movement',
                      'preparing', 'ag_failure', 'cluster', 'fault', 'database_fault', 'long_io', 'memory_paged_out', 'ready', 'stop')
    union all
    select content_id, line, host_id, time, time_local, 'stop_requested', fields
    from messages
    where topic = 'stop' and message_id is null
    union all
    select content_id, line, host_id, time, time_local, topic, fields
    from messages
    where topic in ('flush_cache', 'long_io', 'long_sync_io') and message_id is null
      -- Copies give each line of a checkpoint's message an entry; only the first tells its length.
      and (topic <> 'flush_cache' or map_contains(fields, 'milliseconds'))
),
numbered as (
    select e.content_id, e.line, e.host_id, e.time, e.time_local, k.kind, null::map(varchar, varchar) as fields, e.message
    from errorlog e
    join scratch.timeline_kinds k on k.message_id = e.error
    anti join told t on t.content_id = e.content_id and t.line = e.line
    where e.error is not null
    union all
    select e.content_id, e.line, e.host_id, e.time, e.time_local, p.kind, null, e.message
    from errorlog e
    join scratch.timeline_texts p on e.message like p.pattern
    anti join told t on t.content_id = e.content_id and t.line = e.line
    where e.error is null
    union all
    select content_id, line, host_id, time, time_local, 'dump', null, message
    from errorlog
    where starts_with(message, 'Stack Signature for the dump is')
       or starts_with(message, '***Stack Dump being sent to')
),
chosen as (select *, null::varchar as message from told union all from numbered),
-- What was a dump written for? The log says so a few lines below its name.
reasons as (
    select c.content_id, c.line, min_by(trim(r.message, '* '), r.line) as reason
    from chosen c
    join errorlog r on r.content_id = c.content_id and r.line > c.line and r.line <= c.line + 12
    where c.kind = 'dump' and regexp_matches(r.message, '^\* +[A-Z][A-Za-z -]{5,60}$') and not contains(r.message, 'BEGIN STACK DUMP')
    group by c.content_id, c.line
)
select 'ERRORLOG' as source, 1 as rank, c.content_id, c.line, c.host_id as witness, c.host_id,
       c.time, c.time_local,
       -- What is known by its number or beginning alone names them in quotes.
       if(c.fields is null, nullif(regexp_extract(e.message, '(?i)(?:availability group|\bAG) [''"]([^''"]+)[''"]', 1), ''), c.fields['ag']) as ag,
       c.fields['replica'] as replica,
       if(c.fields is null, nullif(regexp_extract(e.message, '(?i)\bdatabase [''"]([^''"]+)[''"]', 1), ''), c.fields['database']) as database,
       scratch.kind_by_text(c.kind, coalesce(c.message, e.message, '')) as kind, coalesce(c.fields['old_state'], c.fields['old_role']) as before,
       coalesce(c.fields['new_state'], c.fields['new_role'], c.fields['source_string']) as after,
       try_cast(coalesce(c.fields['duration_ms'], c.fields['milliseconds'], c.fields['ms']) as double) as value,
       if(coalesce(c.fields['duration_ms'], c.fields['milliseconds'], c.fields['ms']) is null, null, 'ms') as unit,
       c.fields['file'] as thing, left(concat(d.reason || ': ', coalesce(c.message, e.message)), 400) as text
from chosen c
left join raw_errorlog e on e.content_id = c.content_id and e.line = c.line
left join reasons d on d.content_id = c.content_id and d.line = c.line
where c.host_id is not null;
