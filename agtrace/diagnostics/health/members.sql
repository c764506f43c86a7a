-- Which replicas does each group have, as its connections and looks at it tell? A group is a replica of a
-- distributed one, and no server.
select distinct ag, replica
from (
    select ag, replica from timeline where kind = 'connected'
    union all
    select ag, replica from replicas
)
where ag is not null and replica is not null
  and upper(replica) not in (select upper(ag) from timeline where ag is not null)
  and upper(replica) not in (select unnest(members) from topology)
order by ag, replica
