-- Which names of roles does the last output of the cluster's resources show as failed or offline?
with told as (
    select content_id, item, any_value(value) filter (setting = 'state') as state,
           any_value(value) filter (setting = 'resource_type') as type, any_value(value) filter (setting = 'owner_group') as role,
           any_value(host_id) as host_id, any_value(time) as time, any_value(time_local) as time_local, min(line) as line
    from cluster_settings
    where scope = 'resource'
    group by content_id, item
)
select item as resource, coalesce(role, '') as role, state, host_id, time, time_local, content_id, line
from told
where type = 'Network Name' and state is not null
qualify row_number() over (partition by item order by time desc nulls last, content_id) = 1 and lower(state) in ('failed', 'offline')
order by item
