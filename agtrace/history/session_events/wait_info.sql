-- Which waits of requests did system_health keep, because they lasted long?
select e._time as time, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as seq, e.wait_type::varchar as wait_type,
       try_cast(e.duration as double) as ms
from events_wait_info e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
