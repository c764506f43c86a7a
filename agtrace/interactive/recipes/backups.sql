-- # backups
-- The throughput of each configuration
select database, buffer_count, max_transfer_size_kb, count(*) as n, median(mb_per_s) as mb_per_s
from backups where status = 'completed' group by all order by mb_per_s desc

-- Failures, with the message
select start, server, database, command, failure_texts[1] as why from backups
where status = 'failed' order by start

-- The slowest backups
select start, server, database, kind, duration_s, mb_per_s from backups where operation = 'backup'
order by duration_s desc nulls last limit 20

-- The last log backup of each database on each server
select server, database, max("end") as last_backup from backups
where kind = 'log' and status = 'completed' group by all order by last_backup

-- Time per stage
select operation_id, database, unnest(map_keys(stages)) as stage, unnest(map_values(stages)) as seconds
from backups where is_traced order by operation_id

-- # zeroed_files
-- The files that took longest to fill with zeros
select host_id, path, bytes / 1e9 as gb, seconds from zeroed_files order by seconds desc nulls last
limit 20

-- Data files only, which instant file initialisation would skip
select host_id, count(*) as files, sum(seconds) as seconds from zeroed_files where is_data
group by all

-- Rate of writing zeros on each host
select host_id, sum(bytes) / sum(seconds) / 1e6 as mb_per_s from zeroed_files where seconds > 0
group by all

-- Files by operation
select operation, database, count(*) as files, sum(bytes) / 1e9 as gb from zeroed_files group by all
order by gb desc

-- In order of time
select time, host_id, path, seconds from zeroed_files order by time

-- # trials
-- The best of each driver
select tool, driver, max(value) as best, any_value(unit) as unit from trials where not failed
group by all

-- By load
select driver, load, count(*) as n, median(value) as value from trials group by all
order by driver, load

-- HammerDB in its own units
select trial_id, load, nopm, tpm from trials where nopm is not null order by load

-- Variation within each test
select trial_id, load, list_min(readings) as lowest, list_max(readings) as highest from trials
where len(readings) > 1

-- Time of each test
select trial_id, start, "end", elapsed_s, is_assumed_clock from trials order by start
