-- Which groups does each host take part in, and of which does it have the primary, as its role over time and looks
-- at it tell?
select host_id, ag, bool_or(role = 'PRIMARY') as has_primary
from (
    select host_id, ag, role from roles
    union all
    select host_id, ag, role from replicas where is_local
)
where host_id is not null and ag is not null
group by all
order by all;
