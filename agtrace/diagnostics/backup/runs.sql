-- With what configuration did each operation run that measures throughput ?
-- The two ends of a seeding are told with seeding. A study is what can be compared: one kind of operation on one
-- database of one server.
-- A stretch of work begins after a pause that leaves disks cold. The first one of a log may have
-- begun before it: nobody knows how long its disks had been warm.
with paused as (
    select operation_id, server, start_local, idle_s >= $cold_s as is_first
    from backups where start_local is not null
),
warmed as (
    select operation_id,
           epoch(start_local) - epoch(max(case when is_first then start_local end) over (
               partition by server order by start_local, operation_id rows unbounded preceding)) as warm_s
    from paused
)
select dense_rank() over (order by server, lower(database) nulls last, operation, kind) - 1 as study,
       dense_rank() over (order by server, lower(database) nulls last, operation, kind, target, stripes,
                                   buffer_count, max_transfer_size_kb, sets_of_buffers, compression, checksum,
                                   factors nulls first) - 1 as configuration,
       operation_id, server, m.host_id, m.sql_instance, database, operation, kind, target, stripes, buffer_count,
       max_transfer_size_kb, sets_of_buffers, compression, checksum, factors, has_options, total_mb,
       total_matches, memory_limit_mb, volumes, readers, files, mb_per_s, duration_s, bytes, idle_s, warm_s, beside,
       extract(hour from start_local) as hour, extract(isodow from start_local) as weekday,
       s.version, s.only_version, s.product, s.level, s.edition, s.os, s.logical_processors::varchar as processors,
       s.memory_mb::varchar as memory_mb
from measured_backups m join warmed using (operation_id)
left join server_versions s
  on s.host_id is not distinct from m.host_id and s.sql_instance is not distinct from m.sql_instance
where not is_seeding;
