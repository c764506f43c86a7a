-- Which statements created or changed an availability group, when, and which captures tell of them?
-- A content that lies in the case twice is told of by both of its captures.
select e.statement::varchar as statement, e._time - to_microseconds(coalesce(k.ahead_us, 0)) as time, c.host_id, c.capture_id, e._content_id as content_id,
       null::bigint as line
from events_alwayson_ddl_executed e
left join captures c on c.content_id = e._content_id
left join reference_clock k on k.host_id = c.host_id
where e.statement is not null
order by time, statement, c.path;
