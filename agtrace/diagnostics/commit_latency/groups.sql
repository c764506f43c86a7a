-- Of which group has each host the primary, as its role over time and looks at it tell? Of none that is known the one
-- that it takes part in; empty where several are meant.
with taken as (
    select host_id, ag, coalesce(bool_or(role = 'PRIMARY'), false) as has_primary
    from (
        select host_id, ag, role from roles
        union all
        select host_id, ag, role from replicas where is_local
    )
    where host_id is not null and ag is not null
    group by all
),
meant as (
    select * from taken qualify has_primary or not bool_or(has_primary) over (partition by host_id)
)
select host_id, if(count(*) = 1, min(ag), '') as ag
from meant
group by all
order by all;
