-- Where does each replica send read-only connections while it is the primary?
select r.replica, r.priority, r.routed_to, r.connections_allowed, r.routing_url, r.host_id, r.line, c.path
from routing r
left join captures c using (capture_id)
where r.replica is not null and r.routed_to is not null
order by r.replica, r.priority, r.routed_to, c.path;
