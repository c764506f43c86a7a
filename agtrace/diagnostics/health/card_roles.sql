-- Which role did each replica have last, and since when? Counters name no group.
-- null: since
select coalesce(ag, '') as ag, host_id, coalesce(role, '') as role, start as since
from roles
where host_id is not null
qualify row_number() over (partition by ag, host_id, sql_instance
                           order by "end" is null desc, coalesce(start, "end") desc nulls last) = 1
order by ag, host_id
