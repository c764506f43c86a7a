-- How large was the version store at each look, and how much of tempdb was free?
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       scratch.whole(k.names, r.cells, 'version_store_kb') as size_kb,
       scratch.whole(k.names, r.cells, 'freespace_kb') as free_kb
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'tempdb_space' and scratch.whole(k.names, r.cells, 'version_store_kb') is not null
order by r.capture_id, r.line;
