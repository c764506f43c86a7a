-- How did each database of a replica stand at the last look of each server?
-- null: sql_instance, synchronization_state, is_suspended, suspend_reason, is_joined, is_failover_ready, log_send_queue_kb
-- null: redo_queue_kb, redo_rate_kb_s, last_commit_local, line
select ag, database, coalesce(replica, '') as replica, host_id, sql_instance, coalesce(is_local, false) as is_local,
       synchronization_state, is_suspended, suspend_reason, is_joined, is_failover_ready, log_send_queue_kb, redo_queue_kb,
       redo_rate_kb_s, last_commit_local, time_local, content_id, line
from database_states
where ag is not null and database is not null and host_id is not null and time_local is not null
qualify time_local = max(time_local) over (partition by host_id, sql_instance, ag)
    and row_number() over (partition by host_id, sql_instance, ag, database, replica, is_local, time_local
                           order by capture_id, line) = 1
order by ag, host_id, sql_instance, database, replica
