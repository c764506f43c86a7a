-- On which node did each start of an instance run?
-- null: sql_instance, line
select host_id, sql_instance, time - to_microseconds(coalesce(k.ahead_us, 0)) as time, node, content_id, line
from instance_nodes
left join reference_clock k using (host_id)
where time is not null
order by host_id, 3, content_id, line
