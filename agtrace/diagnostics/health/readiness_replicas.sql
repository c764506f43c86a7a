-- How did each replica of a group stand at the last look of each server, and who was the primary, as that one knew?
-- A replica of a distributed group is a group, and no server.
-- null: node, sql_instance, is_local, role, availability_mode, failover_mode, connected_state, synchronization_health
-- null: last_connect_error, time, line, primary_replica
select r.ag, r.replica, r.node, r.host_id, r.sql_instance, r.is_local, r.role, r.availability_mode, r.failover_mode,
       r.connected_state, r.synchronization_health, r.last_connect_error, r.time, r.time_local, r.capture_id, r.content_id, r.line,
       g.primary_replica
from replicas r
left join (
    select capture_id, ag, max(primary_replica) as primary_replica from groups group by all
) g on g.capture_id = r.capture_id and g.ag = r.ag
where r.ag is not null and r.replica is not null and r.host_id is not null and r.time_local is not null
  and r.ag not in (select ag from topology where is_distributed)
qualify r.time_local = max(r.time_local) over (partition by r.host_id, r.sql_instance, r.ag)
    and row_number() over (partition by r.host_id, r.sql_instance, r.ag, r.replica, r.time_local order by r.capture_id, r.line) = 1
order by r.ag, r.host_id, r.sql_instance, r.replica
