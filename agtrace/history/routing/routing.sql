-- To which replica does each replica, while it is the primary, send read-only connections? A list that was shown without a
-- route is a row without a replica.
with told as (
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
    union all
    select f.capture_id, f.content_id, f.line, f.host_id, c.sql_instance, f.time_local, f.time, null, null, null, null, null, null
    from facts f
    left join captures c using (capture_id)
    where f.topic = 'read_only_routing_list' and f.key = 'routes' and f.value = '0'
)
select * from told
order by content_id, replica, priority, line;
