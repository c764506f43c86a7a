-- How often did redo wait for a lock (lock_redo_blocked), in which database, from when to when?
select o.host_id, e.database_name as "database", count(*) as n, min(e._time) as first, max(e._time) as last,
       any_value(o.path) as path
from events_lock_redo_blocked e
join (select content_id, min(host_id) as host_id, min(path) as path from captures group by content_id) o
  on o.content_id = e._content_id
group by all
order by n desc, 1, 2;
