-- Which servers have a replica of each group, as looks and connections name them?
-- Not of a group that is a replica of a distributed one: the other group may take the backups of their databases.
with told as (
    select ag, replica from timeline where kind = 'connected'
    union
    select ag, replica from replicas
),
ends as (
    select primary_host_id as host_id from streams where is_distributed
    union
    select replica_host_id from streams where is_distributed
),
spanned as (
    select unnest(members) as ag from topology
    union
    select upper(r.ag) from roles r join ends using (host_id) where r.ag is not null
)
select distinct ag, replica
from told
where ag is not null and replica is not null
  and ag not in (select ag from topology where is_distributed) and upper(ag) not in (from spanned)
order by ag, replica;
