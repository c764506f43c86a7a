-- Which hops of distributed groups did perfmon see: to the forwarder, and from it to the replicas of its own group?
-- Of several windows of a hop the last counts. Log that enters a queue is what the sender flushed; where that was not
-- captured, what left the queue and by how much it grew.
-- null: is_aligned, start, end, start_local, end_local, queue_max, growth, rate, redo_queue, lag_s, lag_max_s
with hops as (
    select *, coalesce("end", end_local) as last from streams where "database" is not null and send_queue_last_bytes is not null
),
between_groups as (
    select h.*, h.ag as dag, true as is_between from hops h where h.is_distributed
),
-- Its own databases may be more than those that it forwards.
in_group as (
    select h.*, b.dag, false as is_between
    from hops h
    join between_groups b
      on b.replica_host_id = h.primary_host_id and b.replica_instance is not distinct from h.primary_instance
     and lower(b."database") = lower(h."database")
     and (b.start is null or h.start is null or (h.start <= b."end" and b.start <= h."end"))
    where not h.is_distributed
    qualify row_number() over (partition by h.stream_id, h."database", b.dag order by b.last desc) = 1
),
every_one as (
    select * from between_groups union all by name select * from in_group
),
rated as (
    select *, coalesce(flushed_bytes_per_s, received_bytes_per_s + greatest(send_queue_growth_bytes_per_s, 0)) as entering
    from every_one
)
select dag, ag, is_between, primary_replica as sender, replica as receiver, primary_host_id is not null as has_sender, is_aligned,
       "database", start, "end", start_local, end_local, samples,
       send_queue_last_bytes as queue, send_queue_max_bytes as queue_max, send_queue_growth_bytes_per_s as growth,
       received_bytes_per_s as rate, recovery_queue_last_bytes as redo_queue,
       case when entering >= $idle then send_queue_last_bytes / entering when send_queue_last_bytes = 0 then 0 end as lag_s,
       case when entering >= $idle then send_queue_max_bytes / entering when send_queue_max_bytes = 0 then 0 end as lag_max_s,
       coalesce(is_stale, false) and send_queue_last_bytes > 0 as is_still
from rated
qualify last is not distinct from max(last) over (partition by dag, primary_replica, replica)
order by dag, is_between desc, sender, receiver, "database";
