-- Where are read-only connections sent, when which replica is the primary?
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       scratch.cell(k.names, r.cells, 'whenthisserverisprimary') as replica,
       scratch.whole(k.names, r.cells, 'priority') as priority,
       scratch.cell(k.names, r.cells, 'routetothisserver') as target,
       scratch.cell(k.names, r.cells, 'connectionsallowed') as connections_allowed,
       scratch.cell(k.names, r.cells, 'routingurl') as url
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'routing'
order by r.capture_id, r.line
