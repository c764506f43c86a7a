-- Which replicas did a look at a server show as connected with it, in order of time?
-- null: line
select host_id, replica, time - to_microseconds(coalesce(k.ahead_us, 0)) as time, content_id, line
from replicas
left join reference_clock k using (host_id)
where connected_state = 'CONNECTED' and host_id is not null and replica is not null and time is not null
order by 3, host_id, replica
