-- On which node did each start of an instance run?
-- null: sql_instance, line
select host_id, sql_instance, time, node, content_id, line
from instance_nodes
where time is not null
order by host_id, 3, content_id, line
