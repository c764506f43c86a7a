-- Which statements created or changed an availability group?
select coalesce(c.host_id, '') as host_id, c.path, e.statement
from events_alwayson_ddl_executed e
left join captures c on c.content_id = e._content_id
where e.statement is not null
order by e._time;
