-- How long did a write into the log files of each host take, by their file statistics?
select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, sum(writes)::bigint as n,
       sum(write_stall_ms) / nullif(sum(writes), 0) as mean
from file_io
where file_type = 'LOG' and host_id is not null and start_local is not null
group by all
order by all;
