-- On which objects did redo wait for a lock, most often first?
select host_id, "database", object_id, count(*) as n
from redo_locks
where object_id <> 0
group by all
order by n desc, 1, 2, 3;
