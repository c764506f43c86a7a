-- To which replica does each replica, while it is the primary, send read-only connections?
with told as (
    -- From an output that holds nothing but the list.
    select min(f.capture_id) as capture_id, f.content_id, min(f.line) as line, min(f.host_id) as host_id,
           any_value(c.sql_instance) as sql_instance, min(f.time_local) as time_local, min(f.time) as time,
           any_value(value) filter (key = 'ag') as ag,
           any_value(value) filter (key = 'replica') as replica,
           any_value(try_cast(value as integer)) filter (key = 'priority') as priority,
           any_value(value) filter (key = 'routed_to') as routed_to,
           any_value(value) filter (key = 'connections_allowed') as connections_allowed,
           any_value(value) filter (key = 'routing_url') as routing_url
    from facts f
    left join captures c using (capture_id)
    where f.topic = 'read_only_route'
    group by f.content_id, f.item
),
looked_at as (
    -- From a rowset among those of a support tool.
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
           null as ag,
           scratch.cell(k.names, r.cells, 'whenthisserverisprimary') as replica,
           scratch.whole(k.names, r.cells, 'priority') as priority,
           scratch.cell(k.names, r.cells, 'routetothisserver') as routed_to,
           scratch.cell(k.names, r.cells, 'connectionsallowed') as connections_allowed,
           scratch.cell(k.names, r.cells, 'routingurl') as routing_url
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'routing'
)
select * from (from told union all by name from looked_at)
order by content_id, replica, priority, line;
