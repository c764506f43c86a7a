-- # reference_clock
-- The reference clock, and the lead of each host's clock
select host_id, by_host, ahead_us / 1e6 as ahead_s from reference_clock order by host_id

-- The reference host
select distinct reference_host from reference_clock

-- Hosts without a clock comparison
select host_id from reference_clock where ahead_us is null order by host_id

-- Clocks off by a second or more
select host_id, ahead_us / 1e6 as ahead_s from reference_clock where abs(ahead_us) >= 1e6

-- Times of a captured table by the reference clock
select e.host_id, e.time - to_microseconds(coalesce(k.ahead_us, 0)) as time, e.message
from errorlog e left join reference_clock k using (host_id) order by 2 limit 20

-- # component_health
-- Everything except clean
select time, host_id, component, state from component_health where state not in ('clean', 'unknown')
order by time

-- Processors of the machine and of SQL Server
select time, host_id, system_cpu_percent, sql_cpu_percent from component_health
where system_cpu_percent is not null order by time

-- Waits for worker threads
select time, host_id, pending_tasks, workers_created, max_workers from component_health
where pending_tasks > 0

-- Slow I/O, counted
select host_id, max(total_long_ios) as long_ios, sum(interval_long_ios) as in_intervals
from component_health group by all

-- Available memory
select host_id, min(available_memory_bytes) / 1e6 as least_mb from component_health group by all

-- # processor_minutes
-- Minutes of a busy machine
select time, host_id, machine_percent, sql_percent from processor_minutes
where machine_percent >= 80 order by time

-- Means by hour
select host_id, time_bucket(interval 1 hour, time) as hour, avg(machine_percent) as machine, avg(sql_percent) as sql
from processor_minutes group by all order by hour

-- Load other than SQL Server
select time, host_id, machine_percent - sql_percent as others from processor_minutes
order by others desc limit 20

-- Percentiles of each server
select host_id, quantile_cont(machine_percent, [0.5, 0.95, 0.99]) as percentiles, count(*) as n
from processor_minutes group by all

-- Processors in the five minutes before each failover
select f.failover_id, p.host_id, max(p.machine_percent) as busiest from failovers f
join processor_minutes p on p.time between f.start - interval 5 minutes and f.start group by all
order by all

-- # long_waits
-- The longest
select time, host_id, wait_type, ms / 1e3 as seconds from long_waits order by ms desc limit 20

-- By type
select wait_type, count(*) as n, max(ms) as longest_ms, sum(ms) as total_ms from long_waits
group by all order by total_ms desc

-- By server and hour
select host_id, time_bucket(interval 1 hour, time) as hour, count(*) as n from long_waits
group by all order by hour

-- Start of each wait
select time - to_milliseconds(ms::bigint) as since, host_id, wait_type from long_waits
order by since

-- Waits during a failover
select f.failover_id, w.host_id, w.wait_type, w.ms from failovers f
join long_waits w on f.start between w.time - to_milliseconds(w.ms::bigint) and w.time

-- # database_faults
-- Faults by database
select start, host_id, database, kind, reason, entries from database_faults order by start

-- Duration of a full log
select host_id, database, "end" - start as lasted from database_faults where kind = 'log_full'
order by lasted desc

-- Databases that did not recover, with the error before
select host_id, database, cause_error, cause from database_faults where cause is not null

-- By kind
select kind, count(*) as n, count(distinct database) as databases from database_faults group by all

-- Source line
select f.host_id, f.database, c.path, f.line from database_faults f
join captures c using (content_id) order by c.path, f.line

-- # recoveries
-- Longest recoveries
select host_id, database, "end", seconds from recoveries order by seconds desc

-- Time before the analysis phase
select host_id, database, seconds, seconds - (analysis_ms + redo_ms + undo_ms) / 1000 as before_s
from recoveries order by before_s desc

-- Recoveries after a change to primary, while clients waited
select host_id, database, seconds, "end" from recoveries where promoted_local is not null

-- Logs with too many virtual files
select distinct host_id, database, vlf_limit from recoveries where vlf_limit is not null

-- By database
select host_id, database, count(*) as n, max(seconds) as longest from recoveries group by all
