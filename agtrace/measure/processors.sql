-- What did each start of SQL Server find: how many logical processors, how much memory? In order of
-- time; a start whose offset from UTC is not known has its local time only.
select host_id as host, time, time_local,
       max(try_cast(value as integer)) filter (key = 'logical_processors') as count,
       max(try_cast(value as bigint)) filter (key = 'memory_mb') as memory_mb
from (
    select f.host_id, f.content_id, f.item, f.key, f.value,
           min(f.time) over start as time, min(f.time_local) over start as time_local
    from facts f
    where f.topic = 'startup' and f.key in ('logical_processors', 'memory_mb') and f.host_id is not null
    window start as (partition by f.host_id, f.content_id, f.item)
)
group by host_id, content_id, item, time, time_local
having count > 0 or memory_mb > 0
order by host, time nulls last, time_local;
