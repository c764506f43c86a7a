-- What was read from and written to each file between each look and the one before it in the same
-- output? Figures are cumulative since the file was opened: one that falls voids its interval.
-- Names are written at the first look only. A list of slow files has means since the start alone.
with looks as (
    select r.capture_id, dense_rank() over (partition by r.capture_id order by r.rowset) as look,
           r.time_local, r.time, r.line, k.names, r.cells
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'file_io'
),
figures as (
    select capture_id, look, time_local, time, line,
           scratch.whole(names, cells, 'dbid') as database_id, scratch.whole(names, cells, 'fileid') as file_id,
           scratch.cell(names, cells, 'database') as database, scratch.cell(names, cells, 'type_desc') as file_type,
           scratch.whole(names, cells, 'numberreads') as reads, scratch.whole(names, cells, 'numberwrites') as writes,
           scratch.whole(names, cells, 'bytesread') as read_bytes, scratch.whole(names, cells, 'byteswritten') as write_bytes,
           scratch.whole(names, cells, 'iostallreadms') as read_stall_ms, scratch.whole(names, cells, 'iostallwritems') as write_stall_ms
    from looks
),
times as (
    select capture_id, look, min(time_local) as at_local,
           lag(min(time_local)) over (partition by capture_id order by look) as start_local,
           lag(min(time)) over (partition by capture_id order by look) as start_time
    from looks group by capture_id, look
),
compared as (
    select f.*, t.start_local, t.start_time,
           last_value(f.database ignore nulls) over w as known_database,
           last_value(f.file_type ignore nulls) over w as known_type,
           f.reads - coalesce(lag(f.reads) over w, 0) as d_reads,
           f.writes - coalesce(lag(f.writes) over w, 0) as d_writes,
           f.read_bytes - coalesce(lag(f.read_bytes) over w, 0) as d_read_bytes,
           f.write_bytes - coalesce(lag(f.write_bytes) over w, 0) as d_write_bytes,
           f.read_stall_ms - coalesce(lag(f.read_stall_ms) over w, 0) as d_read_stall_ms,
           f.write_stall_ms - coalesce(lag(f.write_stall_ms) over w, 0) as d_write_stall_ms,
           -- A file that was left out between two looks has no interval that is known.
           coalesce(lag(f.look) over w, f.look - 1) as look_before
    from figures f join times t using (capture_id, look)
    window w as (partition by f.capture_id, f.database_id, f.file_id order by f.look)
)
select c.capture_id, a.content_id, c.line, a.host_id, a.sql_instance, c.time_local, c.time,
       c.known_database as database, c.file_id, c.known_type as file_type, c.start_local,
       c.d_reads as reads, c.d_writes as writes, c.d_read_bytes as read_bytes, c.d_write_bytes as write_bytes,
       c.d_read_stall_ms as read_stall_ms, c.d_write_stall_ms as write_stall_ms,
       case when c.d_reads > 0 then c.d_read_stall_ms / c.d_reads end as mean_read_ms,
       case when c.d_writes > 0 then c.d_write_stall_ms / c.d_writes end as mean_write_ms
from compared c
join captures a using (capture_id)
-- Local times repeat and leave out hours: where UTC is known it tells the order.
where c.start_local is not null and coalesce(c.time > c.start_time, c.time_local > c.start_local) and c.look_before = c.look - 1
  and least(c.d_reads, c.d_writes, c.d_read_bytes, c.d_write_bytes, c.d_read_stall_ms, c.d_write_stall_ms) >= 0
-- An output that was collected twice, the second time longer, tells an interval once.
qualify row_number() over (
    partition by coalesce(a.host_id, c.capture_id), a.sql_instance, c.database_id, c.file_id, c.start_local, c.time_local, c.time
    order by a.path, c.line) = 1
union all
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       scratch.cell(k.names, r.cells, 'database_name'), null, null, null, null, null, null, null, null, null,
       try_cast(scratch.cell(k.names, r.cells, 'average_read_latency') as double),
       try_cast(scratch.cell(k.names, r.cells, 'average_write_latency') as double)
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'slow_files'
order by all
