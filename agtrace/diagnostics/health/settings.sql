-- Which settings of the cluster and of groups were captured, as they last were?
select scope, item, setting, arg_max(value, time_local) as value,
       arg_max(content_id, time_local) as content_id, arg_max(line, time_local) as line, arg_max(host_id, time_local) as host_id
from cluster_settings
where value is not null
group by scope, item, setting
order by scope, item, setting
