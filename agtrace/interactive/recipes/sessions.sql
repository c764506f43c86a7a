-- # waits
-- The largest waits
select wait_type, sum(wait_ms) / 1e3 as seconds, sum(waiting_tasks) as n from waits group by all
order by seconds desc limit 20

-- Commits over time
select time_local, waiting_tasks, mean_wait_ms from waits where wait_type = 'HADR_SYNC_COMMIT'
order by time_local

-- The remote path compared with the local log
select time_local, max(mean_wait_ms) filter (wait_type = 'HADR_SYNC_COMMIT') as remote_ms, max(mean_wait_ms) filter (wait_type = 'WRITELOG') as local_ms
from waits group by all order by time_local

-- Waits of redo
select wait_type, sum(wait_ms) / sum(seconds) as ms_per_s from waits
where wait_type like 'PARALLEL_REDO%' group by all order by ms_per_s desc

-- Shortage of worker threads
select time_local, host_id, waiting_tasks, mean_wait_ms from waits
where wait_type = 'THREADPOOL' and waiting_tasks > 0

-- # file_io
-- The slowest log files
select database, max(mean_write_ms) as worst_ms, avg(mean_write_ms) as mean_ms from file_io
where file_type = 'LOG' group by all order by worst_ms desc nulls last

-- Reads and writes per second
select database, file_type, sum(reads) / sum(seconds) as reads, sum(writes) / sum(seconds) as writes
from (select *, epoch(time_local - start_local) as seconds from file_io) group by all

-- Bytes moved
select database, sum(read_bytes) / 1e9 as read_gb, sum(write_bytes) / 1e9 as written_gb from file_io
group by all order by written_gb desc nulls last

-- Latency over time
select time_local, database, mean_read_ms, mean_write_ms from file_io order by time_local

-- Files with more stall time than working time
select time_local, database, file_id, write_stall_ms from file_io
where write_stall_ms > 1000 * epoch(time_local - start_local)

-- # hadr_requests
-- Waits of the group's threads
select command, wait_type, count(*) as looks from hadr_requests group by all order by looks desc

-- Redo, by database
select database, wait_type, count(*) as looks from hadr_requests where command ilike '%REDO%'
group by all

-- The longest waits
select time_local, command, database, wait_type, wait_ms from hadr_requests
order by wait_ms desc nulls last limit 20

-- Disks that redo waits for
select time_local, database, pending_disk_io from hadr_requests where pending_disk_io > 0

-- Threads by database
select time_local, database, count(distinct session_id) as threads from hadr_requests group by all
order by time_local

-- # blocked_redo
-- Sessions that block redo
select session_id, client, program, login, max(wait_ms) as wait_ms, any_value(statement) as statement
from blocked_redo group by all

-- Duration
select database, min(time_local) as first, max(time_local) as last, max(wait_ms) / 1e3 as seconds
from blocked_redo group by all

-- By program
select program, count(*) as looks from blocked_redo group by all order by looks desc

-- Locks
select wait_type, count(*) as looks from blocked_redo group by all

-- Start of the blocking transaction
select time_local, session_id, seconds from blocked_redo order by time_local

-- # long_transactions
-- The oldest readers
select session_id, client, program, login, max(seconds) as seconds, any_value(statement) as statement
from long_transactions where is_snapshot group by all order by seconds desc

-- Each snapshot
select time_local, session_id, seconds from long_transactions order by time_local

-- By program
select program, count(distinct session_id) as sessions, max(seconds) as longest_s
from long_transactions group by all

-- Open for an hour or more
select time_local, host_id, session_id, login from long_transactions where seconds >= 3600

-- Number at the same time
select time_local, count(*) as sessions from long_transactions group by all order by time_local

-- # version_stores
-- Growth
select time_local, size_kb / 1024 as mb, free_kb / 1024 as free_mb from version_stores
order by time_local

-- The largest
select host_id, max(size_kb) / 1024 as mb from version_stores group by all

-- KB per second between snapshots
select time_local, (size_kb - lag(size_kb) over w) / epoch(time_local - lag(time_local) over w) as kb_per_s
from version_stores window w as (partition by host_id order by time_local)

-- Least free space
select host_id, min(free_kb) / 1024 as mb from version_stores group by all

-- Share of tempdb
select time_local, size_kb / (size_kb + free_kb) as share from version_stores
where size_kb + free_kb > 0

-- # readable_roles
-- Times as a secondary
select host_id, start, "end", is_readable from readable_roles where role = 'SECONDARY'
order by host_id, start

-- Readable secondaries
select distinct host_id from readable_roles where role = 'SECONDARY' and is_readable

-- Hosts with both roles
select host_id from readable_roles group by all having count(distinct role) = 2

-- Times in local time only
select host_id, role, start_local, end_local from readable_roles where is_local

-- Long transactions on a secondary
select distinct t.host_id, t.session_id, t.seconds from long_transactions t
join readable_roles r on r.host_id = t.host_id and r.role = 'SECONDARY' and t.time between r.start and r."end"

-- # row_versions
-- Size of the version store
select time, host_id, value / 1024 as mb from row_versions where counter = 'Version Store Size (KB)'
order by time

-- The largest
select host_id, max(value) / 1024 as mb from row_versions where counter = 'Version Store Size (KB)'
group by all

-- Least free space of tempdb
select host_id, min(value) / 1024 as mb from row_versions
where counter = 'Free Space in tempdb (KB)' group by all

-- Longest transaction
select host_id, max(value) as seconds from row_versions
where counter = 'Longest Transaction Running Time' group by all

-- Sources
select host_id, source, count(*) as n from row_versions group by all

-- # temporary_statistics
-- The newest
select host_id, "database", object, name, updated_local from temporary_statistics
order by updated_local desc

-- Number by database
select host_id, "database", count(*) as n from temporary_statistics group by all order by n desc

-- Of the largest tables
select "database", object, max("rows") as rows_then from temporary_statistics group by all
order by rows_then desc

-- Tables with several
select "database", object, count(distinct name) as n from temporary_statistics group by all
having n > 1

-- Age at the snapshot, in hours
select "database", name, epoch(time_local - updated_local) / 3600 as hours from temporary_statistics
order by hours desc
