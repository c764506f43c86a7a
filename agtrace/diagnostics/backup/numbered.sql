-- With which configuration did each backup and restore run, with what throughput? Equal ones have one number.
-- Throughput counts where runs.sql measures it; n counts every operation, whatever became of it.
with numbered as (
    select *, case when upper(device_names) = 'NUL' or upper(device_names) like 'NUL|%' then 'NUL' else media end as target
    from backups
    where $database is null or lower(database) = $database
),
grouped as (
    select *, dense_rank() over (order by host_id, sql_instance, database, operation, kind, target, stripes, buffer_count,
                                          sets_of_buffers, max_transfer_size_kb, min_transfer_size_kb, media_buffer_count,
                                          media_buffer_size_kb, encode_buffer_count, readers, volumes, fulltext_devices,
                                          filestream_devices, txf_devices, io_alignment_bytes, memory_limit_mb,
                                          compression, has_options, total_matches, total_mb, factors) as same
    from numbered
),
counted as (select same, count(*) as n from grouped group by same)
select g.*, dense_rank() over (order by g.host_id nulls last, g.sql_instance nulls last, c.n desc, same) as configuration
from grouped g join counted c using (same);
