-- Which id is called what? One row per id, name and capture; ids in lower case.
with named as (
    select capture_id, content_id, item, any_value(host_id) as host_id, min(line) as line,
           max(value) filter (key = 'kind') as kind,
           max(value) filter (key = 'id') as id,
           max(value) filter (key = 'name') as name,
           any_value(time_local) as time_local, any_value(time) as time
    from facts
    where topic = 'ag_name'
    group by all
)
select n.capture_id, n.content_id, n.line, n.host_id, c.sql_instance, n.time_local, n.time, n.kind, n.id, n.name
from named n
left join captures c using (capture_id)
where n.kind is not null and n.id is not null and n.name is not null
order by n.kind, n.id, n.name, c.path;
