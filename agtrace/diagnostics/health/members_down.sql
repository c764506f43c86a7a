-- How did each member of the cluster stand when it was shown last, and how many votes has it?
-- null: host_id, time, time_local, line
select content_id, item, state, votes, host_id, time, time_local, line
from cluster_items
where scope = 'member' and state is not null
qualify row_number() over (partition by upper(item) order by time desc nulls last, time_local desc nulls last, content_id) = 1
order by item
