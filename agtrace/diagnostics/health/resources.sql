-- How did each resource of the cluster stand when its state was shown last, of what type is it, and in which role?
-- null: type, role, host_id, time, time_local, line
select content_id, item, state, type, role, host_id, time, time_local, line
from cluster_items
where scope = 'resource' and state is not null
qualify row_number() over (partition by item order by time desc nulls last, time_local desc nulls last, content_id) = 1
order by item
