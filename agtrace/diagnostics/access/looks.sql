-- Which replicas did a look at a server list, and which of them did it show as connected?
-- null: ag, is_connected, time, line
select ag, host_id, replica, connected_state = 'CONNECTED' as is_connected,
       time, content_id, line
from replicas
where host_id is not null and replica is not null and is_local is not true
order by time nulls first, host_id, replica, line
