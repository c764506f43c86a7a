-- How much memory has each host, as its last start told?
select host_id, arg_max(try_cast(value as integer), time_local) as mb
from facts
where topic = 'startup' and key = 'memory_mb' and host_id is not null
group by host_id
having mb is not null;
