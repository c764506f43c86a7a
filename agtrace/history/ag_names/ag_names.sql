-- Which id is called what? One row per id, name and capture; ids in lower case. Exports of the topology
-- tell it as facts, outputs of sqlcmd in their rowsets, the session AlwaysOn_health in its events.
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
    union all
    -- Two captures of one content say the same: one of them is enough.
    select c.capture_id, null, null, min(e.time), e.kind, e.id, e.name
    from scratch.ids_of_events e
    join (select content_id, min(capture_id) as capture_id from captures group by content_id) c using (content_id)
    where e.name <> '' and e.id not in ('', '00000000-0000-0000-0000-000000000000')
    group by c.capture_id, e.kind, e.id, e.name
)
select n.capture_id, c.content_id, n.line, c.host_id, c.sql_instance, n.time_local, n.time, n.kind, n.id, n.name
from named n
left join captures c using (capture_id)
where n.kind is not null and n.id is not null and n.name is not null
order by n.kind, n.id, n.name, c.path;
