-- What did both hosts of each link do over its time? In the units that are shown.
with links as (
    select unnest($numbers::bigint[]) as number, unnest($links::varchar[]) as link,
           unnest($primaries::varchar[]) as primary_host, unnest($replicas::varchar[]) as replica_host
),
resources as (
    select unnest($resources::varchar[]) as resource, unnest($names::varchar[]) as what, unnest($factors::double[]) as factor
)
select l.link, u.host, r.what, u.time, u.value * r.factor as value
from usage_series u
join links l on l.number = u."window" and u.host in (l.primary_host, l.replica_host)
join resources r using (resource);
