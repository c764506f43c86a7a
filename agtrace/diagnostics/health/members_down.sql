-- How did each member of the cluster stand when it was shown last, and how many votes has it?
with told as (
    select content_id, item, any_value(value) filter (setting = 'member_state') as state,
           coalesce(try_cast(any_value(value) filter (setting = 'quorum_votes') as integer), 1) as votes,
           any_value(host_id) as host_id, any_value(time) as time, any_value(time_local) as time_local, min(line) as line
    from cluster_settings
    where scope = 'member'
    group by content_id, item
)
select *
from told
where state is not null
qualify row_number() over (partition by upper(item) order by time desc nulls last, time_local desc nulls last, content_id) = 1
order by item
