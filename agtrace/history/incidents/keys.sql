-- Which hosts and groups does each stretch of time name together, and is that the membership of a cluster alone?
select island, host_id, other, ag,
       bool_and(kind like 'node\_%' escape '\' or kind like 'fence%' or kind in ('nodes_down', 'quorum_lost', 'heartbeats_missed', 'udp_lost', 'join_failed')) as is_membership
from scratch.incident_parts
group by all
order by all;
