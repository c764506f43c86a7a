-- Which names do ids of groups, replicas and databases have, as each output says?
create or replace table scratch.named_ids as
with said as (
    select r.capture_id, r.line, k.kind, k.names, r.cells
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind in ('groups', 'replicas', 'database_states')
),
pairs as (
    select capture_id, line, 'group' as kind, scratch.id(names, cells, 'group_id') as id,
           case kind when 'groups' then coalesce(scratch.cell(names, cells, 'name'), scratch.cell(names, cells, 'availability_group'))
                     when 'replicas' then scratch.cell(names, cells, 'group_name')
                     else scratch.cell(names, cells, 'availability_group') end as name
    from said
    union all
    select capture_id, line, 'replica', scratch.id(names, cells, 'replica_id'),
           case kind when 'replicas' then scratch.cell(names, cells, 'replica_server_name')
                     else scratch.server(names, cells) end
    from said where kind <> 'groups'
    union all
    select capture_id, line, 'database', scratch.id(names, cells, 'group_database_id'),
           scratch.cell(names, cells, 'database_name')
    from said where kind = 'database_states'
)
select capture_id, kind, id, name, min(line) as line
from pairs where id is not null and name is not null and name <> ''
group by all;
create or replace table scratch.names_of as
select capture_id, kind, id, arg_min(name, line) as name from scratch.named_ids group by all;
