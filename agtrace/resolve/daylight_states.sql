-- Which changes of replicas' states did the sessions of a server keep?
insert into scratch.daylight_kept
select o.host_id, e._time::timestamp, hash(e.availability_group_name, e.previous_state::varchar, e.current_state::varchar)
from events_availability_replica_state_change e
join contents o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null;
