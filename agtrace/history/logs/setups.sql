-- Which connections between replicas could not be set up, as AlwaysOn_health keeps it? Their error is one of Windows or of the
-- network, and no number of a message.
select 'ucs_connection_setup' as source, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as line, e._time as time,
       null::timestamp as time_local, null as session, null::bigint as error, null::bigint as severity, null::bigint as state,
       e.error_message::varchar as text
from events_ucs_connection_setup e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where e._time is not null and try_cast(e.error_number as bigint) <> 0 and e.error_message is not null
