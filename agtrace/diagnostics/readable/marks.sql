-- For which databases of each secondary did the low-water mark for ghosts stand still between the first and the last look?
-- What is below the smallest mark of all replicas the primary may clean up.
with looked as (
    select upper(split_part(split_part(replica, '\', 1), '.', 1)) as host, "database", time_local,
           low_water_mark_for_ghosts as mark, capture_id
    from database_states
    where low_water_mark_for_ghosts > 0 and replica is not null and time_local is not null
)
select host, "database", min(time_local) as first, max(time_local) as last, count(distinct time_local) as looks,
       arg_min(mark, time_local) = arg_max(mark, time_local) as is_still
from looked
group by all
having count(distinct time_local) > 1
order by 1, 2;
