-- How is the cluster set up: its quorum, the votes of its members, the timeouts of each group?
-- A member has a row for each of its networks; it is told once.
with rows as (
    select r.capture_id, r.content_id, r.rowset, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
           k.kind, k.names, r.cells
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind in ('cluster', 'cluster_members', 'timeouts')
),
settings as (
    select * exclude (names, cells, kind), 'cluster' as scope, scratch.cell(names, cells, 'cluster_name') as item,
           unnest(['quorum_type', 'quorum_state']) as setting,
           unnest([scratch.cell(names, cells, 'quorum_type_desc'), scratch.cell(names, cells, 'quorum_state_desc')]) as value,
           null as unit
    from rows where kind = 'cluster'
    union all
    select * exclude (names, cells, kind), 'member', scratch.cell(names, cells, 'member_name'),
           unnest(['quorum_votes', 'member_state']),
           unnest([scratch.cell(names, cells, 'number_of_quorum_votes'), scratch.cell(names, cells, 'member_state_desc')]),
           unnest(['votes', null])
    from rows where kind = 'cluster_members'
    union all
    select * exclude (names, cells, kind), 'group', scratch.cell(names, cells, 'availability group'),
           scratch.cell(names, cells, 'timeout_setting_name'), scratch.cell(names, cells, 'timeout_value'), 'ms'
    from rows where kind = 'timeouts'
),
items as (
    select capture_id, item, max(value) filter (key = 'scope') as scope, max(value) filter (key = 'name') as name
    from facts
    where topic = 'cluster_setting'
    group by all
),
told as (
    -- By an output of its own (ClusterInfo).
    select f.capture_id, f.content_id, f.line, f.host_id, c.sql_instance, f.time_local, f.time,
           i.scope, i.name as item, f.key as setting, f.value, f.unit
    from facts f
    join items i using (capture_id, item)
    left join captures c using (capture_id)
    where f.topic = 'cluster_setting' and f.key not in ('scope', 'name')
),
looked_at as (
    select distinct on (capture_id, rowset, scope, item, setting, value) * exclude (rowset)
    from settings
    where value is not null
    order by capture_id, rowset, scope, item, setting, value, line
)
from looked_at union all by name from told
order by capture_id, scope, item, setting, line
