-- Which statistics had a server made for itself at a look, of databases that it can only read?
-- Such statistics lie in tempdb; their names end with _readonly_database_statistic.
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       scratch.cell(k.names, r.cells, 'database_name') as "database", scratch.cell(k.names, r.cells, 'schema_name') as "schema",
       scratch.cell(k.names, r.cells, 'object_name') as object, scratch.cell(k.names, r.cells, 'statistics_name') as name,
       try_cast(scratch.cell(k.names, r.cells, 'last_updated') as timestamp) as updated_local,
       scratch.whole(k.names, r.cells, 'rows') as rows
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'statistics_of_tables'
  and ends_with(lower(trim(scratch.cell(k.names, r.cells, 'statistics_name'))), '_readonly_database_statistic')
order by r.capture_id, r.line;
