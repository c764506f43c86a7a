-- Where does each replica send read-only connections while it is the primary? A list shown by several hosts counts once.
-- null: priority, connections_allowed, routing_url
select r.replica, r.priority, r.routed_to, r.connections_allowed, r.routing_url,
       concat(coalesce(nullif(c.path, ''), nullif(r.host_id, ''), 'the routing list'), ', line ', r.line) as source
from routing r
left join captures c using (capture_id)
where r.replica is not null and r.routed_to is not null
qualify row_number() over (partition by r.replica, r.priority, r.routed_to order by c.path) = 1
order by r.replica, r.priority, r.routed_to;
