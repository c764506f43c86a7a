-- How did each member and resource of the cluster stand at each look: of what type, in which role, with how many votes?
select scope, content_id, item,
       any_value(value) filter (setting = if(scope = 'member', 'member_state', 'state')) as state,
       any_value(value) filter (setting = 'resource_type') as type, any_value(value) filter (setting = 'owner_group') as role,
       coalesce(try_cast(any_value(value) filter (setting = 'quorum_votes') as integer), 1) as votes,
       any_value(host_id) as host_id, any_value(time) as time, any_value(time_local) as time_local, min(line) as line
from cluster_settings
where scope in ('member', 'resource')
group by scope, content_id, item
order by scope, content_id, item
