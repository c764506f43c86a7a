-- When was each server connected to another replica, or not, as logs, sessions and snapshots show it? Messages 35201, 35202,
-- 35206, 35266 and 35267 count where they name the other replica.
with signs as (
    select host_id, sql_instance, replica, ag, "database", kind, kind in ('connected', 'database_connected') as is_connected, time,
           time_local, witnesses[1].content_id as content_id, witnesses[1].line as line, text
    from timeline
    where kind in ('connection_failed', 'connected', 'connection_timeout', 'database_connected', 'database_disconnected')
    union all
    select host_id, sql_instance, replica, ag, null, 'snapshot', connected_state = 'CONNECTED',
           time, time_local, content_id, line, null
    from replicas
    where is_local is not true
)
select *
from signs
join hosts_of_replicas using (replica)
where host_id is not null
order by time nulls first, kind, host_id, replica, line
