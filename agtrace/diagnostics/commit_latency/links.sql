-- What is known of the way of each database's log to each replica: on which sides, over which time, how far the
-- clocks are apart and drift, and whether commits went on before the replica had acknowledged their block?
-- null: ag, database, replica, replica_id, primary_host, replica_host, commit_mode, skew_ms, spread_ms, drift_hours, drift_ahead, waiting_ms
with blocks as (
    select *, bool_or(joined) over (partition by group_database_id, replica_id) as any_joined from log_blocks
),
used as (
    -- Where both sides were captured, their joined blocks; else all that the one side saw. Blocks have the clocks of their
    -- hosts, moments the reference clock.
    select b.*, coalesce(b.t_first - to_microseconds(coalesce(p.ahead_us, 0)),
                         b.t_received - to_microseconds(coalesce(r.ahead_us, 0))) as moment
    from blocks b
    left join reference_clock p on p.host_id = b.primary_host
    left join reference_clock r on r.host_id = b.replica_host
    where b.joined or not b.any_joined
),
spans as (
    select group_database_id, replica_id, greatest((max(epoch_us(moment)) - min(epoch_us(moment))) // 30, 10000000) as width
    from used group by all
),
-- Thirty stretches or fewer of ten seconds or more: the line through their medians is the drift.
stretches as (
    select group_database_id, replica_id, epoch_us(moment) // width as stretch,
           avg(epoch_us(moment)) / 3.6e9 as hours, median(epoch_us(t_received) - epoch_us(t_sent)) / 1e3 as ahead, count(*) as n
    from used join spans using (group_database_id, replica_id)
    where skew_ms is not null and t_received is not null and t_sent is not null group by all
),
drifts as (
    select group_database_id, replica_id, list(hours order by hours) as hours, list(ahead order by hours) as ahead
    from stretches where n >= 10 group by all
)
select group_database_id, replica_id, min(ag) as ag, min(database) as database, min(replica) as replica,
       min(primary_host) as primary_host, min(replica_host) as replica_host, min(commit_mode) as commit_mode,
       bool_or(joined) as is_joined, count(t_sent) > 0 as has_primary, count(t_received) > 0 as has_replica,
       count(*) as blocks, min(moment) as start, max(moment) as "end",
       median(skew_ms) as skew_ms, median(skew_spread_ms) as spread_ms, any_value(d.hours) as drift_hours,
       any_value(d.ahead) as drift_ahead,
       count(*) filter (t_committed is not null and t_ack_processed is not null) as watched,
       count(*) filter (t_committed < t_ack_processed - interval 1 millisecond) as early,
       avg(case when t_ack_processed <= t_flushed then 0 else epoch_us(t_ack_processed) - epoch_us(t_flushed) end) / 1e3
           as waiting_ms
from used left join drifts d using (group_database_id, replica_id)
group by group_database_id, replica_id
order by ag, database, group_database_id, replica, replica_id;
