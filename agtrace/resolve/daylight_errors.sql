-- Which messages did the sessions of a server keep as events?
insert into scratch.daylight_kept
select o.host_id, e._time::timestamp, hash(left(trim(e.message), 200))
from events_error_reported e
join contents o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null and e.message is not null;
