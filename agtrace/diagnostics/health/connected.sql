-- Which replicas did a look at a server show as connected with it, in order of time?
-- null: line
select host_id, replica, time, content_id, line
from replicas
where connected_state = 'CONNECTED' and host_id is not null and replica is not null and time is not null
order by 3, host_id, replica
