-- When did parallel redo of each database start or stop, and with how many workers (message 49930)?
select host_id as host, lower(coalesce(fields['database'], '')) as "database", time,
       coalesce(fields['event'], '') as event, coalesce(fields['pool_size'], '') as workers
from log_messages
where topic = 'parallel_redo' and host_id is not null and time is not null
order by time;
