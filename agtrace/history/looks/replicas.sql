-- How was each replica configured, and how did it stand at each look? A join with the states of databases tells it in each of
-- their rows: once counts.
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       coalesce(scratch.cell(k.names, r.cells, 'group_name'), scratch.cell(k.names, r.cells, 'availability_group'),
                scratch.cell(k.names, r.cells, 'ag_name'), g.name) as ag,
       scratch.server(k.names, r.cells) as replica,
       scratch.id(k.names, r.cells, 'replica_id') as replica_id,
       scratch.cell(k.names, r.cells, 'node_name') as node,
       scratch.truth(k.names, r.cells, 'is_local') as is_local,
       upper(scratch.cell(k.names, r.cells, 'role_desc')) as role,
       scratch.word(scratch.cell(k.names, r.cells, 'availability_mode_desc'), '_') as availability_mode,
       scratch.word(scratch.cell(k.names, r.cells, 'failover_mode_desc'), '_') as failover_mode,
       scratch.whole(k.names, r.cells, 'session_timeout') as session_timeout_s,
       scratch.word(scratch.cell(k.names, r.cells, 'secondary_role_allow_connections_desc'), '_') as secondary_connections,
       scratch.whole(k.names, r.cells, 'backup_priority') as backup_priority,
       scratch.word(scratch.cell(k.names, r.cells, 'connected_state_desc'), '_') as connected_state,
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
   or (k.kind = 'database_states' and list_has_any(k.names, ['role_desc', 'availability_mode_desc', 'failover_mode_desc', 'connected_state_desc'])
       and not list_contains(k.names, 'is_primary_replica') and scratch.server(k.names, r.cells) is not null)
qualify k.kind = 'replicas' or row_number() over (partition by r.capture_id, r.rowset, r.time_local, replica order by r.line) = 1
order by r.capture_id, r.line
