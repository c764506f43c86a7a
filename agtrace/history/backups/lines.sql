-- What did the logs say about backups and restores, in the order in which each server said it?
-- A server's files follow each other; an operation may begin in one and end in the next. Only a
-- file that sp_cycle_errorlog began, or one of Extended Events, goes on with what the one before it
-- left open: both are then of one chain. Where a collector left out the middle of a file, another one
-- begins. seq orders everything; seq // 1e12 is the file, the rest its line. The event
-- backup_restore_progress_trace carries the same words in UTC; here it gets the server's local time.
create or replace table scratch.backup_files as
with said as (
    select content_id, any_value(host_id) as host_id, min(time_local) as first_local,
           bool_or(topic = 'reinitialized') as goes_on
    from messages
    where topic in ('phase', 'zeroing', 'buffer_configuration', 'backup', 'restore', 'backup_rate',
                    'backup_failed', 'resumed', 'reinitialized')
    group by content_id
),
named as (
    select content_id, any_value(sql_instance) as sql_instance,
           bool_or(coalesce(reader = 'xel', false)) as is_event
    from captures group by content_id
),
zones as (
    select a.host_id, arg_min(k.offset_minutes, k.local_from) as minutes
    from clocks k join captures a using (capture_id)
    where a.reader <> 'xel' and a.host_id is not null
    group by a.host_id
),
gaps as (
    select content_id, count(*) as gaps, list(local_to) as gap_ends
    from (select content_id, item, max(time_local) filter (key = 'to') as local_to
          from facts where topic = 'errorlog_gap' group by all)
    group by content_id
),
servers as (
    select *, coalesce(host_id, content_id) || '\' || coalesce(sql_instance, '') as server,
           case when is_event then to_minutes(coalesce(minutes, 0)) else interval 0 minutes end as zone
    from said left join named using (content_id) left join zones using (host_id) left join gaps using (content_id)
),
ordered as (
    select *, row_number() over w as file,
           (goes_on or is_event) and lag(server) over w = server and lag(is_event) over w = is_event as continues
    from servers
    window w as (order by server, is_event, first_local, content_id)
)
select *, sum(case when continues then 0 else 1 end) over (order by file)
          + coalesce(sum(gaps) over (order by file rows between unbounded preceding and 1 preceding), 0) as chain
from ordered;

-- The chain of a line of a file.
create or replace macro scratch.backup_chain(chain, gap_ends, moment) as
    chain + coalesce(len(list_filter(gap_ends, lambda gap_end: gap_end <= moment)), 0);

create or replace table scratch.backup_sessions as
select chain, source, row_number() over (order by chain, source) as session
from (
    -- Events without a session are kept apart by their database.
    select distinct scratch.backup_chain(f.chain, f.gap_ends, m.time_local) as chain,
           case when f.is_event and m.source not like 'spid%' then m.source || ' of ' || coalesce(m.fields['database'], '')
                else m.source end as source
    from messages m join scratch.backup_files f using (content_id)
    where m.topic in ('phase', 'zeroing', 'buffer_configuration', 'backup', 'restore', 'backup_rate',
                      'backup_failed', 'resumed')
);

create or replace table scratch.backup_lines as
with said as (
    select scratch.backup_chain(f.chain, f.gap_ends, m.time_local) as chain, f.file * 1000000000000 + m.line as seq, m.time_local + f.zone as time_local, m.time,
           case when f.is_event and m.source not like 'spid%' then m.source || ' of ' || coalesce(m.fields['database'], '')
                else m.source end as source, m.topic,
           m.message_id, m.fields, m.fields['phase'] as phase, m.fields['operation'] as operation,
           nullif(m.fields['database'], '') as database
    from messages m join scratch.backup_files f using (content_id)
    where m.topic in ('phase', 'zeroing', 'buffer_configuration', 'backup', 'restore', 'backup_rate',
                      'backup_failed', 'resumed')
)
select chain, session, seq, time_local, time, topic, message_id, phase, operation, database,
       lower(database) as database_key,
       -- Most lines only say that a phase was reached.
       case when topic <> 'phase'
              or phase in ('started', 'effective_options', 'reader_count', 'read_file', 'file_read',
                           'estimated_size', 'leading_metadata_device') then fields end as fields
from said join scratch.backup_sessions using (chain, source);
