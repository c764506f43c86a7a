-- Which names of roles does the last output of the cluster's resources show as failed or offline?
-- null: host_id, time, time_local, line
select item as resource, coalesce(role, '') as role, state, host_id, time, time_local, content_id, line
from cluster_items
where scope = 'resource' and type = 'Network Name' and state is not null
qualify row_number() over (partition by item order by time desc nulls last, content_id) = 1 and lower(state) in ('failed', 'offline')
order by item
