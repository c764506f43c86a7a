-- How many seconds did each traced operation spend in each stage?
select host_id, database, operation, kind, start_local, duration_s, stages['prepare'] as prepare,
       stages['checkpoint'] as checkpoint, stages['create files'] as "create files", stages['data'] as data,
       stages['zero log'] as "zero log", stages['log'] as log, stages['finish'] as finish
from backups
where stages is not null and ($database is null or lower(database) = $database)
order by operation_id;
