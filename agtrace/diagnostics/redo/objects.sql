-- On which objects did redo wait for a lock (lock_redo_blocked), most often first?
select o.host_id, e.database_name as "database", e.object_id::bigint as object_id, count(*) as n
from events_lock_redo_blocked e
join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id
where e.object_id <> 0
group by all
order by n desc, 1, 2, 3;
