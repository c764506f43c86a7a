-- Which values stand in the rowsets that no relation and no fact tells? Of sessions and of tempdb only what concerns
-- replicas is told elsewhere, so they are here.
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.name,
       r."row", unnest(h.columns) as "column",
       unnest(list_resize(r.cells, len(h.columns))) as value
from rowset_rows r
join rowset_heads h using (capture_id, rowset)
join scratch.known_rowsets k using (capture_id, rowset)
where k.kind is null
   or k.kind in ('requests', 'tempdb_space', 'snapshot_transactions', 'open_transactions', 'head_blockers', 'statements', 'sessions', 'statistics_of_tables')
