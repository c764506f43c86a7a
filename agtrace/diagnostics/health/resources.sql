-- How did each resource of the cluster stand when its state was shown last, of what type is it, and in which role?
with told as (
    select content_id, item, any_value(value) filter (setting = 'state') as state,
           any_value(value) filter (setting = 'resource_type') as type, any_value(value) filter (setting = 'owner_group') as role,
           any_value(host_id) as host_id, any_value(time) as time, any_value(time_local) as time_local, min(line) as line
    from cluster_settings
    where scope = 'resource'
    group by content_id, item
)
select *
from told
where state is not null
qualify row_number() over (partition by item order by time desc nulls last, time_local desc nulls last, content_id) = 1
order by item
