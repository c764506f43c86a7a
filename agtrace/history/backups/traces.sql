-- Which backups and restores did the trace flags show? One row per run of lines of one session.
-- A run begins where an operation starts (3004). Without that line it begins at a block of buffers
-- (3213), or at the first line of its kind after a line that ends one.
create or replace table scratch.backup_steps as
with marked as (
    select session, seq,
           case when phase = 'started' then 1 when phase = 'finished' then 2
                when topic = 'buffer_configuration' then 3
                when phase in ('stream_growth', 'stream_total', 'data_transferred', 'backup_set_restored') then 4
                when phase in ('write_stream', 'read_file') then 5 else 0 end::tinyint as mark
    from scratch.backup_lines
    where topic in ('phase', 'buffer_configuration')
),
looked as (
    select session, seq, mark, lag(mark) over w as before,
           last_value(case when mark in (1, 3) then mark end ignore nulls) over (
               partition by session order by seq rows between unbounded preceding and 1 preceding) as boundary
    from marked
    window w as (partition by session order by seq)
)
select session, seq, mark,
       sum((before is null or mark = 1 or before = 2
            or (mark = 3 and boundary is not distinct from 3)
            or (mark = 5 and before = 4 and boundary is null))::tinyint)
           over (order by session, seq rows unbounded preceding)::integer as trace
from looked;

create or replace table scratch.backup_traces as
with told as (
    select s.trace, any_value(l.session) as session, any_value(l.chain) as chain,
           min(l.seq) as seq, max(l.seq) as last_seq,
           arg_min(l.time, l.seq) as first_time, arg_min(l.time_local, l.seq) as first_local,
           arg_max(l.time, l.seq) as last_time, arg_max(l.time_local, l.seq) as last_local,
           any_value(l.operation) as operation, any_value(l.database) as database,
           bool_or(l.phase = 'started') as is_started, bool_or(l.phase = 'finished') as is_finished,
           bool_or(l.phase in ('copy_data', 'read_file', 'write_stream', 'clear_differential_bitmaps'))
               as copies_data,
           bool_or(l.phase = 'log_stream') as copies_log,
           bool_or(l.phase is null or l.phase not in ('other', 'file_handles', 'set_target_restore_age'))
               as is_operation
    from scratch.backup_steps s join scratch.backup_lines l using (seq)
    group by s.trace
),
detailed as (
    select s.trace, l.phase, l.topic, l.fields
    from scratch.backup_lines l join scratch.backup_steps s using (seq)
    where l.fields is not null
),
details as (
    select trace,
           any_value(fields) filter (topic = 'buffer_configuration') as buffers,
           any_value(fields) filter (phase = 'effective_options') as options,
           any_value(fields['statement']) filter (phase = 'started') as statement,
           max(try_cast(fields['readers'] as integer)) filter (phase = 'reader_count') as readers,
           list(distinct fields['file']) filter (phase in ('read_file', 'file_read')) as file_names,
           list(distinct fields['device']) filter (phase = 'leading_metadata_device') as devices,
           max(try_cast(fields['bytes'] as bigint)) filter (phase = 'estimated_size') as estimated_bytes
    from detailed
    group by trace
)
select *, lower(database) as database_key,
       seq // 1000000000000 in (select file from scratch.backup_files where is_event) as is_event,
       case when statement like '% LOG%' or (statement is null and copies_log and not copies_data) then 'log'
            when statement like '% DATABASE%' or copies_data then 'database' end as scope
from told left join details using (trace)
where is_operation;

-- The event backup_restore_progress_trace carries the same text. Where the log has it too, the log's
-- lines count: the copy of the event is left out.
delete from scratch.backup_traces where trace in (
    select e.trace
    from scratch.backup_traces e
    join scratch.backup_files ef on ef.file = e.seq // 1000000000000
    join scratch.backup_traces l on l.database_key = e.database_key and l.operation = e.operation and not l.is_event
    join scratch.backup_files lf on lf.file = l.seq // 1000000000000 and lf.host_id = ef.host_id
    where e.is_event and e.first_time <= l.last_time + interval 5 seconds
      and l.first_time <= e.last_time + interval 5 seconds
);
