-- When did the cluster's resource say that it brought a group online on a server (SQLDIAG files)?
insert into scratch.daylight_online
select o.host_id, e._time::timestamp, lower(e.availability_group_name)
from events_availability_group_state_change e
join contents o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null and e.target_state::varchar = 'Online';
