-- How large was the version store at each look, and how much of tempdb was free? Of a view by database its sum, of which
-- nothing tells what is free.
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       coalesce(scratch.whole(k.names, r.cells, 'version_store_kb'),
                8 * scratch.whole(k.names, r.cells, 'version_store_reserved_page_count')) as size_kb,
       coalesce(scratch.whole(k.names, r.cells, 'freespace_kb'),
                8 * scratch.whole(k.names, r.cells, 'unallocated_extent_page_count')) as free_kb
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'tempdb_space' and size_kb is not null
union all
select r.capture_id, any_value(r.content_id), min(r.line), any_value(r.host_id), any_value(r.sql_instance), r.time_local,
       any_value(r.time), sum(scratch.whole(k.names, r.cells, 'reserved_space_kb'))::bigint, null
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'version_store_space'
group by r.capture_id, r.rowset, r.time_local
order by capture_id, line;
