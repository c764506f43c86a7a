-- # samples
-- Mean and 95th percentile of a counter, by host
select host_id, instance, avg(value) as mean, quantile_cont(value, 0.95) as p95, any_value(unit) as unit
from samples join counters using (counter_id) where counter = 'Log Send Queue' group by host_id, instance order by all

-- A counter in steps of five minutes
select time_bucket(interval 5 minutes, time) as step, host_id, avg(value) as mean, max(value) as highest
from samples join counters using (counter_id) where counter = '% Processor Time' and instance = '_Total'
group by step, host_id order by step, host_id

-- Two counters side by side
select time, host_id, max(value) filter (counter = 'Log Send Queue') as send_queue,
    max(value) filter (counter = 'Log Bytes Received/sec') as received
from samples join counters using (counter_id)
where counter in ('Log Send Queue', 'Log Bytes Received/sec') and instance = '_Total' group by all order by time, host_id

-- Hosts and hours with the busiest processors
select host_id, date_part('hour', time_local) as hour, quantile_cont(value, 0.95) as p95
from samples join counters using (counter_id) where counter = '% Processor Time' and instance = '_Total'
group by host_id, hour order by p95 desc

-- Disks slower than 15 ms, in a share of the samples
select host_id, instance, avg((value > 0.015)::integer) as slow_share, max(value) as slowest_s
from samples join counters using (counter_id) where counter like 'Avg. Disk sec/%' and instance <> '_Total'
group by host_id, instance order by slow_share desc

-- # counters
-- Captured counters, with their units and instances
select object, counter, any_value(unit) as unit, count(distinct instance) as instances, count(distinct host_id) as hosts
from counters group by object, counter order by object, counter

-- Series of each host
select host_id, count(*) as series, count(distinct object) as objects from counters group by host_id order by host_id

-- Names that are not in the catalogue
select distinct object_written, counter_written from counters where counter is null order by all

-- Counters of one host only
select counter, any_value(host_id) as host_id from counters where counter is not null
group by counter having count(distinct host_id) = 1 order by counter

-- Files that hold a counter
select distinct c.path, k.counter from counters k join captures c using (content_id)
where k.counter like 'Log%' order by all

-- # hosts
-- Hosts with their other names
select host_id, display_name, aliases, fci_network_name from hosts order by host_id

-- Time zone of each host
select host_id, zone from hosts order by host_id

-- Evidence for each host's name
select host_id, unnest(evidence) as evidence from hosts order by host_id

-- Captured period of each host
select h.host_id, min(c.first_time) as first, max(c.last_time) as last from hosts h
join captures c using (host_id) group by h.host_id order by h.host_id

-- Kinds of captures by host
select h.host_id, list(distinct c.kind order by c.kind) as kinds from hosts h join captures c using (host_id)
group by h.host_id order by h.host_id

-- # captures
-- Files and their status
select path, kind, host_id, status, reason from captures order by path

-- Size and rows by kind
select kind, count(*) as files, sum(bytes) as bytes, sum(rows) as rows from captures group by kind order by bytes desc

-- Files read, by day of their first record
select date_trunc('day', first_time) as day, count(*) as files from captures where first_time is not null
group by day order by day

-- How each file's host was found
select path, host_id, host_source from captures where host_id is not null order by path

-- Sampling interval of perfmon logs
select path, interval_s, first_time, last_time from captures where interval_s is not null order by path

-- # errorlog
-- Entries of severity 16 and above
select time, host_id, error, severity, message from errorlog where severity >= 16 order by time

-- Search for a text
select time, host_id, line, message from errorlog where message ilike '%recovery%' order by time

-- Errors by number
select host_id, error, count(*) as n, min(time) as first, max(time) as last from errorlog
where error is not null group by host_id, error order by n desc

-- Entries an hour
select host_id, time_bucket(interval 1 hour, time) as hour, count(*) as n from errorlog where time is not null
group by host_id, hour order by hour, host_id

-- The last entry of each host
select host_id, max(time) as last, max_by(message, time) as message from errorlog group by host_id order by host_id

-- # messages
-- Topics of each host
select host_id, topic, count(*) as n from messages group by host_id, topic order by n desc

-- Known messages in order of time
select time, host_id, topic, message_id, fields from messages where time is not null order by time

-- Fields of each topic
select topic, list(distinct name order by name) as fields
from (select topic, unnest(map_keys(fields)) as name from messages) group by topic order by topic

-- Entries behind the messages
select m.time, m.topic, e.message from messages m join errorlog e using (content_id, line) order by m.time, line limit 100

-- Languages of the logs
select host_id, language, count(*) as n from messages group by host_id, language order by all

-- # facts
-- Facts by topic
select topic, count(*) as n, count(distinct host_id) as hosts from facts group by topic order by topic

-- Facts of one topic as columns
select host_id, max(value) filter (key = 'autotuning_level') as autotuning, max(value) filter (key = 'rss_state') as rss
from facts where topic = 'tcp_global' group by host_id order by host_id

-- Values in which hosts differ
select topic, key, list(distinct value order by value) as differing from facts where host_id is not null
group by topic, key having count(distinct host_id) > 1 and count(distinct value) > 1 order by all

-- Facts with a unit
select host_id, topic, key, value, unit from facts where unit is not null order by all

-- Files that state facts
select distinct c.path, f.topic from facts f join captures c using (content_id) order by all

-- # clocks
-- Offset from UTC of each host
select distinct c.host_id, k.offset_minutes from clocks k join captures c using (capture_id) order by all

-- How each offset is known
select source, count(*) as spans, min(confidence) as least_confidence from clocks group by source order by spans desc

-- Offsets by file
select c.path, k.local_from, k.local_to, k.offset_minutes from clocks k join captures c using (capture_id)
order by c.path, k.local_from

-- Hosts behind UTC
select distinct c.host_id, k.offset_minutes / 60 as hours from clocks k join captures c using (capture_id)
where k.offset_minutes < 0 order by all

-- Offsets that a sibling capture supplied
select c.path, k.source, k.confidence from clocks k join captures c using (capture_id)
where k.source like 'sibling%' order by c.path

-- # skew
-- Clock difference between each pair of hosts
select host_id, other_host_id, ms, spread_ms, n from skew order by abs(ms) desc

-- Evidence for each difference
select host_id, other_host_id, method, n, first_time, last_time from skew order by all

-- Clocks more than a second apart
select host_id, other_host_id, ms / 1000 as seconds from skew where abs(ms) > 1000 order by all

-- Differences of one host in both directions
select other_host_id as host_id, -ms as ms from skew union all select host_id, ms from skew order by all

-- Differences with few observations
select host_id, other_host_id, n, spread_ms from skew where n < 10 order by n

-- # runs
-- Labelled windows in order
select run_id, label, start, "end", source from runs order by start

-- Duration by label
select label, count(*) as n, median(epoch("end") - epoch(start)) as seconds from runs group by label order by all

-- Factors of each run
select run_id, json_extract_string(factors, '$.location') as location, factors from runs order by run_id

-- Processors during each run
select r.run_id, any_value(r.label) as label, avg(s.value) as cpu from runs r
join (select time, value from samples join counters using (counter_id)
    where counter = '% Processor Time' and instance = '_Total') s on s.time >= r.start and s.time < r."end"
group by r.run_id order by r.run_id

-- Backups within runs
select r.label, count(*) as backups, median(b.mb_per_s) as mb_per_s from runs r join backups b using (run_id)
group by r.label order by mb_per_s desc

-- # issues
-- Faults by file
select path, severity, kind, message, sum(count) as n from issues group by all order by n desc

-- Kinds of faults
select kind, severity, sum(count) as n, count(distinct content_id) as files from issues group by kind, severity order by n desc

-- Files with the host that wrote them
select c.host_id, i.path, i.kind from issues i join captures c using (content_id) order by all

-- Faults with their place in the file
select path, "offset", kind, message from issues where "offset" is not null order by path, "offset"

-- What data was lost, and what was only noted
select severity, count(*) as faults from issues group by severity order by severity

-- # findings
-- Severe findings
select severity, id, title from findings where severity >= 'warning' order by severity desc, id

-- Findings by question and severity
select split_part(id, '.', 1) as question, severity, count(*) as n from findings group by all order by severity desc, n desc

-- Findings of a host
select subject['host'] as host, severity, title from findings where subject['host'] is not null order by all

-- Evidence, a row each
select id, e.label, e.value, e.text, e.unit, e.source from (select id, unnest(evidence) as e from findings) order by id

-- Findings in order of time
select start, "end", severity, title from findings where start is not null order by start
