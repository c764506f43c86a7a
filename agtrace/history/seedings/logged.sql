-- Which full backups to virtual devices, and restores from them, completed? Columns are fields of `Part`.
select 'physical' as layer, if(operation = 'backup', 'source', 'target') as role, host_id as host, ['errorlog'] as told_by,
       database, coalesce(start, "end") as first, "end" as last, start, "end", 'COMPLETED' as ended,
       [operation_id] as backup_ids, bytes as logged_bytes
from backups
where media = 'VIRTUAL_DEVICE' and status = 'completed' and not is_snapshot and "end" is not null
  and coalesce(kind, 'full') = 'full' and operation in ('backup', 'restore') and host_id is not null
order by "end", operation_id;
