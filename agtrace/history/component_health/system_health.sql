-- Which states of components did the session system_health keep?
select e._time as time, o.host_id, o.sql_instance, 'system_health' as source, e._content_id as content_id, e._seq as seq,
       lower(e.component) as component, lower(e.state::varchar) as state,
       null::bigint as failure_condition_level, left(e.data::varchar, $head) as data
from events_sp_server_diagnostics_component_result e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
