-- Which servers have a replica of each group, as looks and connections name them?
select distinct ag, replica
from (
    select ag, replica from timeline where kind = 'connected'
    union all
    select ag, replica from replicas
)
where ag is not null and replica is not null and ag not in (select ag from topology where is_distributed)
order by ag, replica;
