-- # streams
-- Replicas that are behind, with the trend
select replica, database, send_queue_last_bytes / 1e6 as mb, send_queue_growth_bytes_per_s / 1e3 as kb_per_s
from streams order by mb desc nulls last

-- Log generated against log received
select replica, database, flushed_bytes_per_s / 1e3 as flushed, received_bytes_per_s / 1e3 as received
from streams

-- Redo slower than the log
select replica, database, recovery_queue_last_bytes / 1e6 as mb, redone_bytes_per_s / 1e3 as redone, redo_blocked_per_s
from streams where recovery_queue_growth_bytes_per_s > 0

-- Flow control
select replica, max(flow_control_ms_per_s) as ms_per_s, max(flow_controls_per_s) as per_s
from streams group by all

-- Captured sides
select distinct ag, primary_host_id, replica_host_id, is_aligned, commit_mode from streams

-- # log_blocks
-- Each hop of a commit
select replica, median(send_ms) as send, median(network_ms) as network, median(remote_harden_ms) as harden, median(acknowledgement_ms) as acknowledgement
from log_blocks group by all

-- The slowest commits
select t_first, database, commit_ms, remote_harden_ms, network_ms from log_blocks
order by commit_ms desc nulls last limit 20

-- Percentiles of the commit
select replica, quantile_cont(commit_ms, [0.5, 0.95, 0.99]) as commit_ms from log_blocks
where commit_ms is not null group by all

-- Block sizes and compression savings
select database, count(*) as n, avg(bytes) as bytes, sum(compressed_bytes) / sum(bytes) as share
from log_blocks group by all

-- Blocks with one captured side
select joined, why_not, count(*) as n from log_blocks group by all

-- # commit_waits
-- Percentiles
select host_id, quantile_cont(ms, [0.5, 0.95, 0.99]) as ms, count(*) as n from commit_waits
group by all

-- The longest
select time, host_id, ms from commit_waits order by ms desc limit 20

-- Means by second
select date_trunc('second', time) as second, avg(ms) as mean_ms, count(*) as commits
from commit_waits group by all order by second

-- By database
select n.name as "database", avg(w.ms) as mean_ms from commit_waits w
join ag_names n on n.kind = 'database' and n.id = w.group_database_id group by all

-- Commits that waited for a second or more
select count(*) filter (ms >= 1000) as slow, count(*) as n from commit_waits

-- # flow_control
-- Changes of each gate
select time, host_id, gate, gate_id, is_closed from flow_control order by time, seq

-- How often each gate closed
select host_id, gate, gate_id, count(*) as n from flow_control where is_closed group by all
order by n desc

-- Duration of closures
select gate, gate_id, time, lead(time) over (partition by gate, gate_id order by time, seq) - time as closed from flow_control qualify is_closed

-- Names of the replicas
select n.name, count(*) as n from flow_control f
join ag_names n on n.kind = 'replica' and n.id = f.gate_id
where f.gate = 'send gate' and f.is_closed group by all

-- Closings by minute
select time_bucket(interval 1 minute, time) as minute, gate, count(*) as n from flow_control
where is_closed group by all order by minute

-- # redo_locks
-- By database
select host_id, "database", count(*) as n, min(time) as first, max(time) as last from redo_locks
group by all order by n desc

-- By object
select "database", object_id, count(*) as n from redo_locks where object_id <> 0 group by all
order by n desc

-- By minute
select host_id, time_bucket(interval 1 minute, time) as minute, count(*) as n from redo_locks
group by all order by minute

-- Sessions that blocked redo at that time
select distinct r.host_id, b.session_id, b.program from redo_locks r
join blocked_redo b on b.host_id = r.host_id and b.time between r.time - interval 1 minute and r.time + interval 1 minute

-- Recovery queues of these databases
select r.host_id, r."database", max(s.recovery_queue_max_bytes) as bytes from redo_locks r
join streams s on s.replica_host_id = r.host_id and s."database" = r."database" group by all

-- # hadr_traces
-- All of them
select time, host_id, text from hadr_traces order by time, seq

-- Messages about reverting
select time, host_id, text from hadr_traces where contains(lower(text), 'reverting') order by time

-- Messages by server
select host_id, count(*) as n, min(time) as first, max(time) as last from hadr_traces group by all

-- Around each failover
select f.failover_id, t.time, t.text from failovers f
join hadr_traces t on t.time between f.start - interval 1 minute and f."end" + interval 1 minute
order by t.time

-- By minute
select time_bucket(interval 1 minute, time) as minute, count(*) as n from hadr_traces group by all
order by minute

-- # log_growths
-- Logs that grow fastest
select host_id, "database", growth_bytes_per_s / 1e6 as mb_per_s from log_growths
order by growth_bytes_per_s desc

-- Logs still growing at the end
select host_id, "database", used_bytes / 1e9 as gb from log_growths
where late_growth_bytes_per_s > 0

-- Growth beyond its error
select * from log_growths where growth_bytes_per_s > 2 * growth_error_bytes_per_s

-- GB per hour at this rate
select host_id, "database", growth_bytes_per_s * 3600 / 1e9 as gb_per_hour from log_growths

-- Reasons that prevent log reuse
select g.host_id, g."database", d.log_reuse_wait from log_growths g
join databases d on d.host_id = g.host_id and d."database" = g."database"
