-- Which operations ran alone on their server, so that what its host did meanwhile tells of them?
-- null: start, end, file_names, device_names
select operation_id, host_id, start, "end", start_local, end_local, file_names, device_names
from backups
where status = 'completed' and beside = 0 and host_id is not null
  and start_local is not null and end_local is not null
order by operation_id;
