-- How did each availability group stand at each look?
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       coalesce(scratch.cell(k.names, r.cells, 'name'), scratch.cell(k.names, r.cells, 'availability_group')) as ag,
       scratch.id(k.names, r.cells, 'group_id') as ag_id,
       scratch.cell(k.names, r.cells, 'primary_replica') as primary_replica,
       scratch.whole(k.names, r.cells, 'failure_condition_level') as failure_condition_level,
       scratch.whole(k.names, r.cells, 'health_check_timeout') as health_check_timeout_ms,
       scratch.cell(k.names, r.cells, 'synchronization_health_desc') as synchronization_health,
       upper(scratch.cell(k.names, r.cells, 'automated_backup_preference_desc')) as backup_preference, t.kind, t.how as kind_source
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
left join scratch.topology_found t
  on t.ag = coalesce(scratch.cell(k.names, r.cells, 'name'), scratch.cell(k.names, r.cells, 'availability_group'))
where k.kind = 'groups'
order by r.capture_id, r.line
