-- When did the gate of each database close and open?
select e._time as time, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as seq,
       'database gate' as gate, lower(e.database_replica_id::varchar) as gate_id, e.control_action::varchar = 'Set' as is_closed
from events_hadr_database_flow_control_action e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where e.control_action is not null
