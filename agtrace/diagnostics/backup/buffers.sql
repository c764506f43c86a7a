-- Which buffers did operations run with, how often, and when first and last, and which version ran there?
-- null: host_id, sql_instance, operation, kind, media, stripes, sets_of_buffers, max_transfer_size_kb, total_mb, total_matches, memory_limit_mb, volumes, has_options, compression, device_names, command, first_time, last_time, first_local, last_local, version
with buffers as (
    select host_id, sql_instance, operation, kind, media, stripes, buffer_count, max_transfer_size_kb, sets_of_buffers,
           total_mb, total_matches, memory_limit_mb, volumes, has_options, compression,
           case when upper(device_names) = 'NUL' then 'NUL' end as device_names,
           any_value(command) as command, count(*) as n,
           min(coalesce(start, "end")) as first_time, max(coalesce("end", start)) as last_time,
           min(coalesce(start_local, end_local)) as first_local, max(coalesce(end_local, start_local)) as last_local
    from backups
    where buffer_count is not null
    group by all
)
select b.*, s.version
from buffers b
left join server_versions s
  on s.host_id is not distinct from b.host_id and s.sql_instance is not distinct from b.sql_instance
order by b.host_id, b.sql_instance, n desc, stripes, buffer_count, max_transfer_size_kb, operation, kind, media;
