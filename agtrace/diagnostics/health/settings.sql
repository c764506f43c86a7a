-- Which settings of the cluster and of groups were captured, as they last were? What a console showed has no time: it counts
-- where nothing else tells it.
-- null: item, host_id, content_id, line
select scope, item, setting, arg_max(value, coalesce(time_local, '-infinity')) as value,
       arg_max(content_id, coalesce(time_local, '-infinity')) as content_id,
       arg_max(line, coalesce(time_local, '-infinity')) as line, arg_max(host_id, coalesce(time_local, '-infinity')) as host_id
from cluster_settings
where value is not null
group by scope, item, setting
order by scope, item, setting
