-- How was each replica configured, and how did it stand at each look?
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       coalesce(scratch.cell(k.names, r.cells, 'group_name'), g.name) as ag,
       scratch.cell(k.names, r.cells, 'replica_server_name') as replica,
       scratch.id(k.names, r.cells, 'replica_id') as replica_id,
       scratch.cell(k.names, r.cells, 'node_name') as node,
       scratch.truth(k.names, r.cells, 'is_local') as is_local,
       scratch.cell(k.names, r.cells, 'role_desc') as role,
       scratch.cell(k.names, r.cells, 'availability_mode_desc') as availability_mode,
       scratch.cell(k.names, r.cells, 'failover_mode_desc') as failover_mode,
       scratch.whole(k.names, r.cells, 'session_timeout') as session_timeout_s,
       scratch.cell(k.names, r.cells, 'secondary_role_allow_connections_desc') as secondary_connections,
       scratch.whole(k.names, r.cells, 'backup_priority') as backup_priority,
       scratch.cell(k.names, r.cells, 'connected_state_desc') as connected_state,
       -- SDP's script spells it so.
       coalesce(scratch.cell(k.names, r.cells, 'synchronization_health_desc'),
                scratch.cell(k.names, r.cells, 'synhcronization_health_desc')) as synchronization_health,
       coalesce(nullif(scratch.cell(k.names, r.cells, 'last_connect_error_description'), ''),
                nullif(scratch.cell(k.names, r.cells, 'last_connect_error_number'), '0')) as last_connect_error
from rowset_rows r
join scratch.known_rowsets k using (capture_id, rowset)
left join scratch.names_of g
  on g.capture_id = r.capture_id and g.kind = 'group' and g.id = scratch.id(k.names, r.cells, 'group_id')
where k.kind = 'replicas'
order by r.capture_id, r.line
