-- Which backups and restores were there, with which configuration did each run, and how fast? Local times, MB of 2^20 bytes.
select configuration, host_id, sql_instance, database, operation, kind, status, start_local, end_local, start_source,
       duration_s, pages, bytes, mb_per_s, rate_source, media, stripes, device_names, compression, checksum, encryption,
       buffer_count, sets_of_buffers, max_transfer_size_kb, total_mb, memory_limit_mb, readers, media_buffer_count,
       media_buffer_size_kb, encode_buffer_count, idle_s, beside, label, message_ids, source, line
from backup_configured
order by operation_id;
