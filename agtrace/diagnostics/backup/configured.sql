-- Which configurations are there, with how many backups and restores, and how fast were those that measure throughput?
-- A column of the table is called as it stands there; formula.py checks the others.
select c.configuration, c.host_id, c.sql_instance, c.database, c.operation, c.kind, c.target as media, c.stripes,
       c.stripes as targets, c.buffer_count, c.sets_of_buffers, c.max_transfer_size_kb,
       c.max_transfer_size_kb as transfer_kb, c.min_transfer_size_kb as min_transfer_kb, c.media_buffer_count,
       c.media_buffer_size_kb as media_buffer_kb, c.encode_buffer_count, c.readers, c.volumes, c.fulltext_devices,
       c.filestream_devices, c.txf_devices, c.io_alignment_bytes, c.total_mb, c.total_mb as block_mb, c.total_matches,
       c.memory_limit_mb, c.compression, c.has_options, c.factors,
       case when c.target = 'NUL' then 'NUL' end as device_names, any_value(c.command) as command,
       any_value(s.version) as version, count(*) as n, count(r.mb_per_s) as measured,
       quantile_cont(r.mb_per_s, 0.05) as p5, quantile_cont(r.mb_per_s, 0.5) as p50, quantile_cont(r.mb_per_s, 0.95) as p95
from backup_configured c left join backup_runs r using (operation_id)
left join server_versions s
  on s.host_id is not distinct from c.host_id and s.sql_instance is not distinct from c.sql_instance
group by all
order by c.configuration;
