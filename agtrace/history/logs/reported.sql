-- Which messages of servers did sessions of Extended Events keep?
select 'Extended Events' as source, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as line, e._time as time,
       null::timestamp as time_local, null as session, e.error_number::bigint as error, null::bigint as severity,
       null::bigint as state, e.message::varchar as text
from events_error_reported e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where e._time is not null and e.message is not null
