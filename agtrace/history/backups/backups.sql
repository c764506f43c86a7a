-- What was each backup and restore, and what held while it ran: how long had the server been idle before it, what ran
-- beside it, and which labelled run does it fall into?
with gap_ends as (
    select server, epoch(gap_end) as gap_end, row_number() over (partition by server order by gap_end) as n
    from (select distinct server, unnest(gap_ends) as gap_end from scratch.backup_files)
    where gap_end is not null
),
spans as (
    select m.operation_id, m.server, epoch(m.start_local) as begun, epoch(m.end_local) as ended, coalesce(g.n, 0) as part
    from scratch.backup_measured m
    asof left join gap_ends g on g.server = m.server and epoch(m.end_local) >= g.gap_end
    where m.start_local is not null and m.end_local is not null
),
-- What ran in what a collector left out of the log is not known: idle time begins anew behind it.
quiet as (
    select operation_id,
           begun - max(ended) over (partition by server, part order by begun, operation_id
                                    rows between unbounded preceding and 1 preceding) as idle_s
    from spans
),
-- Beside it ran what began before its end, without what had ended before its start and itself.
begins as (
    select server, begun as moment, row_number() over (partition by server order by begun) as n from spans
),
endings as (
    select server, ended as moment, row_number() over (partition by server order by ended) as n from spans
),
begun_before as (
    select s.operation_id, coalesce(b.n, 0) as n
    from spans s asof left join begins b on b.server = s.server and b.moment < s.ended
),
ended_before as (
    select s.operation_id, coalesce(e.n, 0) as n
    from spans s asof left join endings e on e.server = s.server and e.moment <= s.begun
),
middles as (
    select operation_id, start + ("end" - start) / 2 - to_microseconds(coalesce(k.ahead_us, 0)) as middle
    from scratch.backup_measured left join reference_clock k using (host_id)
    where start is not null
),
labelled as (
    select m.operation_id, r.run_id, r.label, r.factors
    from middles m asof join runs r on m.middle >= r.start
    where m.middle < r."end"
),
-- What the log said of each failure, in its words.
places as (
    select seq, unnest(places) as place from scratch.backup_outcomes where status = 'failed'
),
spoken as (
    select p.seq, p.place, f.content_id, p.place % 1000000000000 as line
    from places p join scratch.backup_files f on f.file = p.place // 1000000000000
),
words as (
    select s.seq, list(e.message order by s.place) as failure_texts, list(s.line order by s.place) as failure_lines
    from spoken s
    join (select content_id, line, message from errorlog where content_id in (select content_id from spoken)) e
      using (content_id, line)
    group by s.seq
),
stages as (
    select trace, map(list(stage order by stage), list(seconds order by stage)) as stages
    from scratch.backup_stages group by trace
)
select m.operation_id, m.host_id, m.sql_instance, m.server, m.database, m.operation, m.kind, m.status,
       m.start, m."end", m.start_local, m.end_local, m.start_source, m.duration_s,
       m.pages, m.pages * 8192 as bytes,
       coalesce(m.stated, case when m.pages > 0 and m.duration_s > 0 and m.status = 'completed'
                               then m.pages / 128.0 / m.duration_s end) as mb_per_s,
       case when m.stated is not null then 'message 3014'
            when m.pages > 0 and m.duration_s > 0 and m.status = 'completed' then 'pages and traced time'
       end as rate_source,
       m.seconds as stated_seconds, m.media, m.stripes, m.device_names, m.first_lsn, m.last_lsn,
       coalesce(t.options['compression'] = '1',
                case when t.buffers['encode_buffer_count'] is not null then true
                     when t.buffers['sets_of_buffers'] = '1' then false end) as compression,
       t.options['checksum'] = '1' as checksum, t.options['encryption'] = '1' as encryption,
       coalesce(try_cast(t.options['buffer_count'] as integer),
                try_cast(t.buffers['buffer_count'] as integer)) as buffer_count,
       t.options is not null as has_options,
       try_cast(t.buffers['sets_of_buffers'] as integer) as sets_of_buffers,
       coalesce(try_cast(t.options['max_transfer_size_kb'] as integer),
                try_cast(t.buffers['max_transfer_size_kb'] as integer)) as max_transfer_size_kb,
       try_cast(t.buffers['min_max_transfer_size_kb'] as integer) as min_transfer_size_kb,
       try_cast(t.buffers['total_mb'] as integer) as total_mb,
       t.buffers['total_matches'] = 'true' as total_matches,
       try_cast(t.buffers['memory_limit_mb'] as integer) as memory_limit_mb,
       coalesce(t.readers, try_cast(t.buffers['tabular_data_device_count'] as integer)) as readers,
       try_cast(t.buffers['tabular_data_device_count'] as integer) as volumes,
       try_cast(t.buffers['fulltext_data_device_count'] as integer) as fulltext_devices,
       try_cast(t.buffers['filestream_device_count'] as integer) as filestream_devices,
       try_cast(t.buffers['txf_device_count'] as integer) as txf_devices,
       try_cast(t.buffers['filesystem_io_alignment_bytes'] as integer) as io_alignment_bytes,
       try_cast(t.buffers['media_buffer_count'] as integer) as media_buffer_count,
       try_cast(t.buffers['media_buffer_size_kb'] as integer) as media_buffer_size_kb,
       try_cast(t.buffers['encode_buffer_count'] as integer) as encode_buffer_count,
       len(t.file_names) as files, t.file_names, t.estimated_bytes, m.is_snapshot,
       s.stages, e.command, e.message_ids, e.unread_file, coalesce(e.is_of_seeding, false) as is_of_seeding, w.failure_lines, w.failure_texts, n.source,
       m.trace is not null as is_traced, m.content_id, m.line,
       q.idle_s, b.n - e.n - 1 as beside, l.run_id, l.label, l.factors
from scratch.backup_measured m
left join quiet q using (operation_id)
left join begun_before b using (operation_id)
left join ended_before e using (operation_id)
left join labelled l using (operation_id)
left join stages s using (trace)
left join scratch.backup_traces t using (trace)
left join scratch.backup_sessions n on n.session = t.session
left join (select seq, command, message_ids, unread_file, is_of_seeding from scratch.backup_outcomes where status = 'failed') e on e.seq = m.seq
left join words w on w.seq = m.seq
order by operation_id;
