-- What do looks at servers say of their groups, and of the replicas that those have?
insert into scratch.topology_told by name
select coalesce(scratch.cell(k.names, r.cells, 'name'), scratch.cell(k.names, r.cells, 'availability_group')) as ag,
       r.content_id, r.line, r.time, 'support output' as how, 1 as rank,
       upper(scratch.cell(k.names, r.cells, 'cluster_type_desc')) as cluster_type,
       scratch.truth(k.names, r.cells, 'basic_features') as is_basic,
       scratch.truth(k.names, r.cells, 'is_contained') as is_contained,
       scratch.truth(k.names, r.cells, 'is_distributed') as is_distributed
from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
where k.kind = 'groups';

-- A replica that is called as another group is that group.
with replicas as (
    select coalesce(scratch.cell(k.names, r.cells, 'group_name'), g.name) as ag, r.content_id, r.line, r.time,
           scratch.cell(k.names, r.cells, 'replica_server_name') as replica,
           scratch.cell(k.names, r.cells, 'endpoint_url') as endpoint
    from rowset_rows r
    join scratch.known_rowsets k using (capture_id, rowset)
    left join scratch.names_of g
      on g.capture_id = r.capture_id and g.kind = 'group' and g.id = scratch.id(k.names, r.cells, 'group_id')
    where k.kind = 'replicas'
),
of_distributed as (
    select r.*
    from replicas r
    where r.ag in (select ag from scratch.topology_told where is_distributed)
       or exists (from scratch.topology_told t where upper(t.ag) = upper(r.replica) and upper(t.ag) <> upper(r.ag))
)
insert into scratch.topology_told by name
select ag, content_id, min(line) as line, any_value(time) as time, 'support output' as how, 1 as rank, true as is_distributed,
       list(distinct upper(replica)) as members,
       coalesce(bool_or(regexp_matches(endpoint, '\.database\.(windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)', 'i')), false) as is_link
from of_distributed
group by ag, content_id;
