-- How long does each hop take on the way of a database's log to a replica, over all blocks and among the slowest
-- 1 % of the commits?
-- null: replica_id, slow_mean
with blocks as (
    select *, bool_or(joined) over (partition by group_database_id, replica_id) as any_joined from log_blocks
),
used as (
    select group_database_id, replica_id,
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by group_database_id, replica_id) as is_slow,
           capture_ms, compression_ms, send_ms, network_ms, receive_ms, decompression_ms, remote_harden_ms,
           acknowledgement_ms, local_harden_ms, remote_ms, commit_ms, commit_wait_ms,
           -- By how much the local flush is over later than all else, where both were seen.
           case when t_flushed <= t_ack_processed then 0 else (epoch_us(t_flushed) - epoch_us(t_ack_processed)) / 1e3 end
               as outlasting_ms
    from blocks where joined or not any_joined
),
each as (
    unpivot used on capture_ms, compression_ms, send_ms, network_ms, receive_ms, decompression_ms, remote_harden_ms,
        acknowledgement_ms, local_harden_ms, remote_ms, commit_ms, commit_wait_ms, outlasting_ms
    into name hop value ms
)
select group_database_id, replica_id, replace(hop.replace('_ms', ''), '_', ' ') as hop, count(*) as n,
       avg(ms) as mean, avg(ms) filter (is_slow) as slow_mean, quantile_cont(ms, [0.5, 0.95, 0.99]) as quantiles
from each
group by all
order by all;
