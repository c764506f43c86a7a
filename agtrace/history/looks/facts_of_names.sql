-- Which names do ids have, as facts of their own say (GetAGTopology.xml)? The columns of ag_names.
select f.capture_id, f.content_id, min(f.line) as line, any_value(f.host_id) as host_id,
       any_value(c.sql_instance) as sql_instance, any_value(f.time_local) as time_local, any_value(f.time) as time,
       max(f.value) filter (f.key = 'kind') as kind,
       max(f.value) filter (f.key = 'id') as id,
       max(f.value) filter (f.key = 'name') as name
from facts f
left join captures c using (capture_id)
where f.topic = 'ag_name'
group by f.capture_id, f.content_id, f.item
