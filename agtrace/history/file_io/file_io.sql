-- What was read from and written to each file between each look and the one before it in the same
-- output? Files of one server with a single look each are one series: two snapshots are often saved in two files.
-- Figures are cumulative since the file was opened: one that falls voids its interval.
-- Names are written at the first look only. A list of slow files has means since the start alone.
with written as (
    select r.capture_id, r.rowset, r.host_id, r.sql_instance, r.time_local, r.time, r.line,
           coalesce(scratch.cell(k.names, r.cells, 'database'), scratch.cell(k.names, r.cells, 'database_name')) as database,
           coalesce(scratch.whole(k.names, r.cells, 'dbid'), scratch.whole(k.names, r.cells, 'database_id')) as database_id,
           coalesce(scratch.whole(k.names, r.cells, 'fileid'), scratch.whole(k.names, r.cells, 'file_id')) as file_id,
           scratch.cell(k.names, r.cells, 'type_desc') as file_type,
           coalesce(scratch.whole(k.names, r.cells, 'numberreads'), scratch.whole(k.names, r.cells, 'num_of_reads')) as reads,
           coalesce(scratch.whole(k.names, r.cells, 'numberwrites'), scratch.whole(k.names, r.cells, 'num_of_writes')) as writes,
           coalesce(scratch.whole(k.names, r.cells, 'bytesread'), scratch.whole(k.names, r.cells, 'num_of_bytes_read')) as read_bytes,
           coalesce(scratch.whole(k.names, r.cells, 'byteswritten'), scratch.whole(k.names, r.cells, 'num_of_bytes_written')) as write_bytes,
           coalesce(scratch.whole(k.names, r.cells, 'iostallreadms'), scratch.whole(k.names, r.cells, 'io_stall_read_ms')) as read_stall_ms,
           coalesce(scratch.whole(k.names, r.cells, 'iostallwritems'), scratch.whole(k.names, r.cells, 'io_stall_write_ms')) as write_stall_ms
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'file_io'
),
files as (
    select capture_id, count(distinct (rowset, time_local)) = 1 and any_value(host_id) is not null and count(time_local) > 0 as is_joined,
           if(is_joined, concat(any_value(host_id), '/', coalesce(any_value(sql_instance), '')), capture_id) as series
    from written group by capture_id
),
figures as (
    select f.series, dense_rank() over (
               partition by f.series order by if(f.is_joined, epoch_us(w.time_local), 0), w.rowset, w.time_local) as look, w.*
    from written w join files f using (capture_id)
),
times as (
    select series, look, min(time_local) as at_local,
           lag(min(time_local)) over (partition by series order by look) as start_local,
           lag(min(time)) over (partition by series order by look) as start_time
    from figures group by series, look
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
    from figures f join times t using (series, look)
    window w as (partition by f.series, coalesce(f.database_id::varchar, f.database), f.file_id order by f.look)
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
    partition by coalesce(a.host_id, c.capture_id), a.sql_instance, coalesce(c.database_id::varchar, c.known_database), c.file_id, c.start_local, c.time_local, c.time
    order by a.path, c.line) = 1
union all
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       scratch.cell(k.names, r.cells, 'database_name'), null, null, null, null, null, null, null, null, null,
       try_cast(scratch.cell(k.names, r.cells, 'average_read_latency') as double),
       try_cast(scratch.cell(k.names, r.cells, 'average_write_latency') as double)
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'slow_files'
order by all
