-- # seedings
-- Result of each seeding
select seeding_id, database, source_host, target_host, outcome, "end" - start as lasted
from seedings order by start

-- The rate of each copy
select database, copied_bytes / epoch(copy_end - copy_start) / 1e6 as mb_per_s from seedings
where copy_end > copy_start

-- Disk against network, at both ends
select database, source_disk_wait_ms, source_network_wait_ms, target_disk_wait_ms, target_network_wait_ms
from seedings

-- More than one attempt
select database, target_host, attempts, failures from seedings where attempts > 1

-- Sources of each seeding
select seeding_id, told_by, source_told_by, target_told_by, time_basis from seedings

-- # seeding_states
-- Duration of each state
select seeding_id, role, state, "end" - start as lasted from seeding_states
order by seeding_id, role, start

-- Waiting for a slot
select seeding_id, host_id, epoch("end" - start) as seconds from seeding_states
where state = 'LIMIT_CONCURRENT_BACKUPS'

-- The share of each state
select state, sum(epoch("end" - start)) as seconds from seeding_states group by all
order by seconds desc

-- The last captured state
select seeding_id, role, arg_max(state, start) as state, max(seen_until) as seen_until
from seeding_states group by all

-- Both ends side by side
select seeding_id, state, max("end" - start) filter (role = 'source') as source, max("end" - start) filter (role = 'target') as target
from seeding_states group by all

-- # seeding_progress
-- The copy over time
select time, role, transferred_bytes / database_bytes as share, bytes_per_s / 1e6 as mb_per_s
from seeding_progress order by time

-- The rate of each end
select seeding_id, role, median(bytes_per_s) / 1e6 as mb_per_s, max(bytes_per_s) / 1e6 as best
from seeding_progress group by all

-- Waits per second of the copy
select seeding_id, role, max(disk_wait_ms) / epoch(max(time) - min(time)) as disk, max(network_wait_ms) / epoch(max(time) - min(time)) as network
from seeding_progress group by all having max(time) > min(time)

-- Number of reports
select seeding_id, role, count(*) as reports, max(time) - min(time) as over from seeding_progress
group by all

-- Slow minutes
select seeding_id, role, time_bucket(interval 1 minute, time) as minute, avg(bytes_per_s) / 1e6 as mb_per_s
from seeding_progress group by all order by mb_per_s limit 20
