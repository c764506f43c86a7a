-- Where does each replica send read-only connections while it is the primary? A route shown by several looks counts once, as
-- the last one shows it.
-- null: priority, connections_allowed, routing_url, time, line
select coalesce(ag, '') as ag, replica, priority, routed_to, connections_allowed, routing_url, time, content_id, line
from routing
where replica is not null and routed_to is not null
qualify row_number() over (partition by ag, replica, priority, routed_to order by time desc nulls last, content_id, line) = 1
order by ag, replica, priority, routed_to
