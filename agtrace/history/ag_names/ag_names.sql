-- Which id is called what? One row per id, name and capture; ids in lower case. Exports of the topology
-- tell it as facts, outputs of sqlcmd in their rowsets.
with facts_of as (
    select capture_id, item, any_value(line) as line,
           max(value) filter (key = 'kind') as kind, max(value) filter (key = 'id') as id,
           max(value) filter (key = 'name') as name,
           any_value(time_local) as time_local, any_value(time) as time
    from facts
    where topic = 'ag_name'
    group by all
),
named as (
    select capture_id, line, time_local, time, kind, lower(id) as id, name from facts_of
    union all
    select n.capture_id, n.line, r.time_local, r.time, n.kind, n.id, n.name
    from scratch.named_ids n
    left join (select distinct on (capture_id, line) capture_id, line, time_local, time from rowset_rows) r
      using (capture_id, line)
)
select n.capture_id, c.content_id, n.line, c.host_id, c.sql_instance, n.time_local, n.time, n.kind, n.id, n.name
from named n
left join captures c using (capture_id)
where n.kind is not null and n.id is not null and n.name is not null
order by n.kind, n.id, n.name, c.path;
