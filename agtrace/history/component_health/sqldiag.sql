-- Which states of components did the cluster's resource see (SQLDIAG files)?
select e._time as time, o.host_id, o.sql_instance, 'SQLDIAG' as source, e._content_id as content_id, e._seq as seq,
       lower(e.component) as component, lower(e.state_desc) as state,
       e.failure_condition_level::bigint as failure_condition_level, left(e.data::varchar, $head) as data
from events_component_health_result e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
