-- Which changes of replicas' states did the session AlwaysOn_health keep? A session tells those of its own server.
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, e.availability_group_name as ag,
       null::varchar as replica, null::varchar as database, 'replica_state' as kind,
       e.previous_state::varchar as before, e.current_state::varchar as after,
       null::double as value, null::varchar as unit,
       concat(e.availability_group_name, ': ', e.previous_state, ' -> ', e.current_state) as text
from events_availability_replica_state_change e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null;
