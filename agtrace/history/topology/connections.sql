-- Which connections start from a group (35202)? Those of a distributed group do: both ends are groups then.
insert into scratch.topology_told by name
with groups as (
    select distinct upper(fields['ag']) as ag from messages where topic in ('replica_state', 'preparing', 'lease') and fields['ag'] is not null
)
select m.fields['ag'] as ag, m.content_id, min(m.line) as line, min(m.time) as time, 'connection from a group (35202)' as how, 3 as rank,
       true as is_distributed,
       list_sort(list_distinct(list(upper(m.fields['from_replica'])) || list(upper(m.fields['replica'])))) as members
from messages m
join groups g on g.ag = upper(m.fields['from_replica'])
where m.message_id = 35202 and upper(m.fields['ag']) <> g.ag and m.fields['replica'] is not null
group by m.fields['ag'], m.content_id;
