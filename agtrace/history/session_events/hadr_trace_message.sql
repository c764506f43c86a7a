-- What did availability groups trace of their own work?
select e._time as time, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as seq,
       e.hadr_message::varchar as text
from events_hadr_trace_message e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
