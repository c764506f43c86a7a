-- When did two replicas connect, and when did the other one never answer? What a log has shows more than a snapshot.
-- null: content_id, line, text
select host_id, replica, replica_host_id, is_connected, time, content_id, line, text
from connections
where time is not null and (is_connected or kind = 'connection_failed')
order by kind = 'snapshot', time, kind, host_id, replica, line
