-- For which locks did redo wait?
select e._time as time, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as seq,
       e.database_name::varchar as "database", try_cast(e.object_id as bigint) as object_id
from events_lock_redo_blocked e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
