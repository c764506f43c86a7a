-- Which hosts have a replica of which group, and which partners and databases do they name?
with named as (
    select host_id, ag, replica, null::varchar as "database"
    from timeline
    where ag is not null or replica is not null
    union
    select host_id, ag, replica, null from replicas
    union
    select host_id, regexp_extract(instance, '^(.*):[^:]*$', 1), regexp_extract(instance, '[^:]*$'), null
    from counters
    where object = 'SQLServer:Availability Replica' and instance like '%_:_%'
    union
    select host_id, null, null, instance
    from counters
    where object = 'SQLServer:Database Replica' and instance <> '' and instance <> '_Total'
)
select distinct host_id, nullif(ag, '') as ag, nullif(replica, '') as replica, "database"
from named
where host_id is not null
order by all
