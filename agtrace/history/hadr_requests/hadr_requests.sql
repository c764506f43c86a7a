-- Which requests and tasks waited for a replica or for redo, at which look? Idle workers of the groups
-- (HADR_WORK_QUEUE and the like) wait for work and are left out.
with rows as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.kind, k.names, r.cells,
           upper(scratch.cell(k.names, r.cells, 'wait_type')) as wait_type,
           upper(scratch.cell(k.names, r.cells, 'command')) as command
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind in ('requests', 'redo_tasks')
)
select capture_id, content_id, line, host_id, sql_instance, time_local, time,
       scratch.whole(names, cells, 'session_id') as session_id,
       scratch.cell(names, cells, 'dbname') as database,
       scratch.whole(names, cells, 'database_id') as database_id,
       command, wait_type,
       coalesce(scratch.whole(names, cells, 'wait_duration_ms'), scratch.whole(names, cells, 'wait_time')) as wait_ms,
       scratch.whole(names, cells, 'runnable_tasks_count') as runnable_tasks,
       scratch.whole(names, cells, 'pending_disk_io_count') as pending_disk_io
from rows
where kind = 'redo_tasks'
   or ((wait_type like 'HADR\_%' escape '\' or wait_type like 'PARALLEL\_REDO\_%' escape '\'
        or wait_type like 'REDO\_THREAD\_%' escape '\'
        or wait_type in ('DPT_ENTRY_LOCK', 'DIRTY_PAGE_TABLE_LOCK') or command in ('PARALLEL REDO TASK', 'PARALLEL REDO HELP TASK'))
       and wait_type not in ('HADR_WORK_QUEUE', 'HADR_CLUSAPI_CALL', 'HADR_NOTIFICATION_DEQUEUE', 'HADR_TIMER_TASK',
                             'HADR_FILESTREAM_IOMGR_IOCOMPLETION', 'HADR_LOGCAPTURE_WAIT', 'HADR_FABRIC_CALLBACK'))
order by capture_id, line
