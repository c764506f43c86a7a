-- Which states of automatic seeding did the ERRORLOG trace? The server writes the role as it calls
-- itself; the operation is the source's on both ends.
select host_id, 'state_transition' as event, time, line,
       fields['role'] not ilike 'secondary%' as is_source, null::integer as attempt,
       lower(fields['operation_id']) as operation_id, null::varchar as ag_id, null::varchar as database_guid,
       lower(fields['remote_replica_id']) as remote_replica, lower(fields['local_replica_id']) as local_replica,
       fields['database'] as database, fields['old_state'] as previous_state, fields['new_state'] as current_state,
       null::boolean as required_seeding, null::integer as failure_state, null::varchar as failure_text,
       null::bigint as timeout_ms
from log_messages
where topic = 'seeding_trace' and fields['new_state'] is not null and time is not null
order by time, content_id, line;
