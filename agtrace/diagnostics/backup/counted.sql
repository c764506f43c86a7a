-- How many backups and restores were there, of how many databases, how did they end, and what is known of them?
select count(*) as n, count(distinct "database") as databases, count(buffer_count) as with_buffers,
       count(*) filter (is_traced) as traced, count(*) filter (status = 'completed') as completed,
       count(*) filter (status = 'failed') as failed, count(*) filter (status = 'unfinished') as unfinished
from backups
where $database is null or lower("database") = $database;
