-- What did the stream of each replica carry, over all stretches that were captured and all its databases?
with stretches as (
    select ag, replica_host_id as replica, stream_id, any_value(samples) as n, max(coalesce("end", end_local::timestamptz)) as "end",
           any_value(sent_unit) as sent_unit, any_value(sent_bytes_per_s) as sent,
           sum(flushed_bytes_per_s) as flushed, sum(received_bytes_per_s) as received,
           sum(hardened_bytes_per_s) as hardened, sum(redone_bytes_per_s) as redone,
           sum(send_queue_growth_bytes_per_s) as growth, sum(send_queue_last_bytes) as queue,
           sum(recovery_queue_last_bytes) as recovery
    from streams
    where replica_host_id is not null and coalesce(not is_stale, true)
    group by all
)
select ag, replica, sum(n)::bigint as n, if(count(distinct sent_unit) = 1, any_value(sent_unit), null) as sent_unit,
       sum(sent * n) / sum(n) as sent_bytes_per_s, sum(flushed * n) / sum(n) as flushed,
       sum(received * n) / sum(n) as received, sum(hardened * n) / sum(n) as hardened,
       sum(redone * n) / sum(n) as redone, sum(growth * n) / sum(n) as growth,
       arg_max(queue, coalesce("end", '0001-01-01'::timestamptz)) as queue, arg_max(recovery, coalesce("end", '0001-01-01'::timestamptz)) as recovery
from stretches
group by ag, replica having sum(n) > 0
order by ag, replica
