-- How long was each operation in each stage? From each line to the next one of its session, from the
-- last one to its end; a line of no stage of its own belongs to the stage that goes on. Where the log does not
-- show the end, nobody knows how long the last stage took.
create or replace table scratch.backup_stages as
with stage_of(phase, stage) as (
    select unnest(phases), stage
    from (values
        (['started', 'open_database', 'acquire_bulk_operation_lock', 'synchronised', 'open_media', 'media_open',
          'prepare_media', 'media_ready', 'effective_options', 'clear_differential_bitmaps',
          'differential_bitmaps_cleared', 'checkpoint_complete', 'start_lsn', 'scan_bitmaps', 'bitmaps_scanned',
          'estimate_size', 'file_estimate', 'total_size', 'estimated_size', 'size_estimated', 'last_lsn',
          'write_leading_metadata', 'leading_metadata_device', 'leading_metadata_written', 'open_backup_set',
          'configuration_loaded', 'backup_set_open', 'plan', 'planned', 'begin_restore', 'attached',
          'containers_ready', 'restore_backup_set'], 'prepare'),
        (['checkpoint'], 'checkpoint'),
        (['prepare_containers'], 'create files'),
        (['buffer_queue', 'copy_data', 'reader_count', 'read_file', 'file_read', 'write_stream', 'progress',
          'stream_padding', 'stream_total', 'transfer_data', 'log_zeroed'], 'data'),
        (['wait_for_log_zeroing'], 'zero log'),
        (['copy_log', 'log_stream'], 'log'),
        (['data_transferred', 'backup_set_restored', 'stream_growth', 'data_copied', 'log_copied', 'finished'],
         'finish')
    ) as listed(phases, stage)
),
timed as (
    select s.trace, l.seq, t.stage, epoch(coalesce(lead(l.time_local) over w, m.end_local) - l.time_local) as took
    from scratch.backup_steps s
    join scratch.backup_lines l using (seq)
    left join (select trace, end_local from scratch.backup_measured where trace is not null) m using (trace)
    left join stage_of t using (phase)
    where l.topic = 'phase'
    window w as (partition by s.trace order by l.seq)
),
staged as (
    select trace, if(took < 0, 0, took) as seconds, last_value(stage ignore nulls) over (partition by trace order by seq) as stage
    from timed
)
select trace, coalesce(stage, 'prepare') as stage, sum(seconds) as seconds
from staged
where seconds is not null
group by all;
