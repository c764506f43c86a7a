-- How often did redo wait for a lock, in which database, from when to when?
-- null: first, last
select r.host_id, r."database", count(*) as n, min(r.time) as first, max(r.time) as last, any_value(coalesce(c.path, r.content_id)) as path
from redo_locks r
left join (select content_id, min(path) as path from captures group by content_id) c on c.content_id = r.content_id
group by all
order by n desc, 1, 2;
