-- How did each database of each replica stand at each look? Queues are KB, rates KB/s.
-- SDP's rows have ids where LogScout's have names.
with rows as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.names, r.cells
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'database_states'
)
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       coalesce(scratch.cell(names, cells, 'availability_group'), scratch.cell(names, cells, 'ag_name'),
                scratch.cell(names, cells, 'group_name'), g.name) as ag,
       coalesce(scratch.cell(names, cells, 'database_name'), d.name) as database,
       scratch.whole(names, cells, 'database_id') as database_id,
       coalesce(scratch.server(names, cells), p.name) as replica,
       scratch.id(names, cells, 'replica_id') as replica_id,
       scratch.truth(names, cells, 'is_local') as is_local,
       coalesce(scratch.truth(names, cells, 'is_primary_replica'), upper(scratch.cell(names, cells, 'role_desc')) = 'PRIMARY') as is_primary,
       scratch.word(scratch.cell(names, cells, 'synchronization_state_desc'), ' ') as synchronization_state,
       scratch.word(scratch.cell(names, cells, 'synchronization_health_desc'), '_') as synchronization_health,
       scratch.truth(names, cells, 'is_database_joined') as is_joined,
       scratch.truth(names, cells, 'is_failover_ready') as is_failover_ready,
       scratch.truth(names, cells, 'is_suspended') as is_suspended,
       scratch.word(scratch.cell(names, cells, 'suspend_reason_desc'), '_') as suspend_reason,
       scratch.whole(names, cells, 'log_send_queue_size') as log_send_queue_kb,
       scratch.whole(names, cells, 'log_send_rate') as log_send_rate_kb_s,
       scratch.whole(names, cells, 'redo_queue_size') as redo_queue_kb,
       scratch.whole(names, cells, 'redo_rate') as redo_rate_kb_s,
       scratch.whole(names, cells, 'secondary_lag_seconds') as secondary_lag_s,
       scratch.whole(names, cells, 'low_water_mark_for_ghosts') as low_water_mark_for_ghosts,
       try_cast(scratch.cell(names, cells, 'last_commit_time') as timestamp) as last_commit_local,
       try_cast(scratch.cell(names, cells, 'last_hardened_time') as timestamp) as last_hardened_local
from rows r
left join scratch.names_of g
  on g.capture_id = r.capture_id and g.kind = 'group' and g.id = scratch.id(r.names, r.cells, 'group_id')
left join scratch.names_of p
  on p.capture_id = r.capture_id and p.kind = 'replica' and p.id = scratch.id(r.names, r.cells, 'replica_id')
left join scratch.names_of d
  on d.capture_id = r.capture_id and d.kind = 'database' and d.id = scratch.id(r.names, r.cells, 'group_database_id')
order by r.capture_id, r.line
