-- Which backups and restores measure throughput?
-- Those that ended well, copied data, and lasted long enough for a rate to be more than fixed costs. The two ends of a
-- seeding are no choice of buffers or media. Nothing is written to the null device, which takes the place of the media.
select *,
       case when upper(device_names) = 'NUL' or upper(device_names) like 'NUL|%' then 'NUL' else media end as target,
       operation_id in (select unnest(backup_ids) from seedings) as is_seeding
from backups
where status = 'completed' and not is_snapshot and mb_per_s > 0 and duration_s >= $least_s;
