-- When was each server a primary, or had it secondaries that clients may read?
-- A server that is known to let nobody read its secondaries is left out: its row versions come from elsewhere.
with configured as (
    select coalesce(node, replica) as host, arg_max(upper(secondary_connections), time_local) as connections
    from replicas
    where secondary_connections is not null
    group by all
),
-- A replica's name may bear an instance, and be longer than the name of its host.
allowed as (
    select h.host_id, list(distinct c.connections) as connections
    from hosts h join configured c on upper(split_part(split_part(c.host, '\', 1), '.', 1)) = upper(h.host_id)
    group by all
)
select r.host_id, r.role, r.start, r."end", r.start_local, r.end_local,
       r.start is null and r."end" is null and (r.start_local is not null or r.end_local is not null) as is_local,
       list_has_any(a.connections, ['READ_ONLY', 'ALL']) as is_readable
from roles r
left join allowed a using (host_id)
where r.role in ('PRIMARY', 'SECONDARY') and (r.role = 'PRIMARY' or a.connections is null or a.connections <> ['NO'])
