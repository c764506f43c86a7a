-- How was each replica set up, and how did it stand, at the last look that tells of it?
-- null: availability_mode, failover_mode, role, session_timeout_s, synchronization_health, content_id, line, host_id
select ag, replica, arg_max(availability_mode, time_local) as availability_mode,
       arg_max(failover_mode, time_local) as failover_mode,
       arg_max(role, time_local) as role, arg_max(session_timeout_s, time_local) as session_timeout_s,
       arg_max(synchronization_health, time_local) as synchronization_health,
       arg_max(content_id, time_local) as content_id, arg_max(line, time_local) as line, arg_max(host_id, time_local) as host_id,
       ag in (select ag from topology where is_distributed) as is_distributed
from replicas
where ag is not null and replica is not null
group by ag, replica
order by ag, replica
