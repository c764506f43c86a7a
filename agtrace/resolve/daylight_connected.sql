-- Which connections did sessions keep as events, by the ids that their messages name?
insert into scratch.daylight_connected
select o.host_id, e._time::timestamp,
       list_sort(list_distinct(regexp_extract_all(upper(e.message), '[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}')))
from events_error_reported e
join contents o on o.content_id = e._content_id
where e.error_number = 35202 and e.message is not null and o.host_id is not null and e._time is not null;
