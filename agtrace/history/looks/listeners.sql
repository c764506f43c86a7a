-- Which listeners does each group have, on which addresses?
with rows as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.kind, k.names, r.cells
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind in ('listeners', 'listener_addresses')
),
addresses as (
    select distinct capture_id, scratch.id(names, cells, 'listener_id') as listener_id,
           scratch.cell(names, cells, 'ip_address') as ip_address,
           scratch.cell(names, cells, 'ip_subnet_mask') as subnet_mask,
           scratch.cell(names, cells, 'state_desc') as state
    from rows where kind = 'listener_addresses'
)
select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
       coalesce(scratch.cell(names, cells, 'ag_name'), scratch.cell(names, cells, 'group_name'),
                scratch.cell(names, cells, 'availability_group'), g.name) as ag,
       coalesce(scratch.cell(names, cells, 'listener_name'), scratch.cell(names, cells, 'dns_name')) as listener,
       scratch.cell(names, cells, 'dns_name') as dns_name,
       scratch.whole(names, cells, 'port') as port,
       coalesce(a.ip_address, scratch.cell(names, cells, 'ip_address')) as ip_address,
       coalesce(a.subnet_mask, scratch.cell(names, cells, 'ip_subnet_mask')) as subnet_mask,
       coalesce(a.state, scratch.cell(names, cells, 'state_desc')) as state,
       scratch.truth(names, cells, 'is_conformant') as is_conformant
from rows r
left join scratch.names_of g
  on g.capture_id = r.capture_id and g.kind = 'group' and g.id = scratch.id(r.names, r.cells, 'group_id')
left join addresses a
  on a.capture_id = r.capture_id and a.listener_id = scratch.id(r.names, r.cells, 'listener_id')
where r.kind = 'listeners'
order by r.capture_id, r.line, ip_address
