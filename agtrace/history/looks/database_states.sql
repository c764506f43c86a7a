-- How did each database of each replica stand at each look? Queues are KB, rates KB/s.
-- SDP's rows have ids where LogScout's have names. Counters of a server without a time tell the queues of its own secondaries.
with counted as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
           trim(scratch.cell(k.names, r.cells, 'instance_name')) as database,
           trim(scratch.cell(k.names, r.cells, 'counter_name')) as counter, scratch.whole(k.names, r.cells, 'cntr_value') as kb
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'counter_values'
),
rows as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.names, r.cells
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'database_states'
),
shown as (
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
)
select * from shown
union all by name
select capture_id, any_value(content_id) as content_id, min(line) as line, any_value(host_id) as host_id,
       any_value(sql_instance) as sql_instance, any_value(time_local) as time_local, any_value(time) as time, database,
       any_value(host_id) as replica, true as is_local,
       max(kb) filter (counter = 'Log Send Queue') as log_send_queue_kb, max(kb) filter (counter = 'Recovery Queue') as redo_queue_kb
from counted
where counter in ('Log Send Queue', 'Recovery Queue') and database <> '_Total' and database <> ''
group by capture_id, database
having max(kb) > 0
order by capture_id, line
