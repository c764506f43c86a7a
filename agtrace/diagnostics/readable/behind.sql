-- By how much did the recovery queues of each server grow meanwhile?
-- null: start, end
select replica_host_id as host_id, sum(recovery_queue_growth_bytes_per_s) as growth, min(start) as start, max("end") as "end"
from streams
where replica_host_id is not null and recovery_queue_growth_bytes_per_s is not null
group by all
order by 1;
