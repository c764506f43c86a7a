-- What happened to the connections between replicas, and to whom could each server connect? Of 35201, 35202, 35206,
-- 35266 and 35267 only those that name the other end.
-- null: ag, content_id, line, text
select kind, ag, host_id, replica, time, witnesses[1].content_id as content_id, witnesses[1].line as line, text
from timeline
where kind in ('connection_failed', 'connected', 'connection_timeout', 'database_connected', 'database_disconnected')
  and host_id is not null and replica is not null and time is not null
order by time, kind, host_id, replica
