-- # server_starts
-- Starts of each instance
select host_id, sql_instance, time, version from server_starts order by host_id, time_local

-- Changes of version
select host_id, time, version from server_starts qualify version is distinct
from lag(version) over (partition by host_id, sql_instance order by time_local)

-- Hosts with instant file initialization disabled
select distinct host_id from server_starts where instant_file_initialization = 'disabled'

-- Virtual machines
select distinct host_id, machine_model from server_starts where machine_model ilike '%virtual%'

-- Source of each start
select c.path, s.line, s.time from server_starts s join captures c using (capture_id)
order by s.time

-- # server_versions
-- Version of each instance
select host_id, sql_instance, version, product, level, edition from server_versions order by all

-- Groups with several versions
select r.ag, list(distinct v.version) as versions from roles r
join server_versions v using (host_id) group by all having count(distinct v.version) > 1

-- Processors and memory
select host_id, logical_processors, memory_mb from server_versions order by host_id

-- Instances that changed their version
select host_id, version from server_versions where only_version is null

-- Operating systems
select os, count(*) as n from server_versions group by all order by n desc

-- # server_properties
-- Versions that queries returned
select host_id, sql_instance, time_local, version, level from server_properties
order by host_id, time_local

-- Editions
select distinct host_id, sql_instance, edition from server_properties order by all

-- Processors of each server
select host_id, max(logical_processors) as logical_processors from server_properties
group by host_id order by host_id

-- Servers whose ERRORLOG names another build
select p.host_id, p.version, v.version as started from server_properties p
join server_versions v using (host_id) where p.version <> v.version

-- Source of each snapshot
select c.path, p.line, p.time_local from server_properties p join captures c using (capture_id)
order by all

-- # server_options
-- Changed options
select start, host_id, option, value, what from server_options order by start nulls last

-- Memory and parallelism
select host_id, option, value from server_options
where option in ('max server memory (MB)', 'max degree of parallelism', 'max worker threads')

-- Options that differ between hosts
select option, list(distinct host_id || ': ' || value) as values_ from server_options group by all
having count(distinct value) > 1

-- Values at a moment
select host_id, option, value from server_options
where start <= timestamptz '2019-08-20 14:00:00+00' and coalesce("end", 'infinity') > timestamptz '2019-08-20 14:00:00+00'

-- Number of changes
select option, count(*) as n from server_options group by all order by n desc

-- # trace_flags
-- Flags that are on, with start
select host_id, flag, start from trace_flags where is_on and "end" is null order by host_id, flag

-- Flags that change compression of the log stream
select host_id, flag, is_on, start, "end" from trace_flags where flag in (1462, 9592, 9567)

-- Flags that differ between hosts
select flag, list(distinct host_id) as hosts from trace_flags where is_on group by all
having count(distinct host_id) < (select count(*) from hosts)

-- Changed while the server ran
select host_id, flag, is_on, start, what from trace_flags where what like 'DBCC%' order by start

-- Source file
select flag, path, line from trace_flags order by flag, path

-- # power_plans
-- Plan of each host
select host_id, plan, guid from power_plans order by host_id

-- Hosts without High performance
select distinct host_id, plan from power_plans
where lower(guid) not in ('8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c')

-- Source file
select p.host_id, c.path, p.line from power_plans p join captures c using (capture_id)

-- Hosts with several plans
select host_id, list(distinct plan) as plans from power_plans group by all
having count(distinct plan) > 1

-- Plans of replicas
select distinct r.ag, r.host_id, p.plan from roles r join power_plans p using (host_id)

-- # filter_drivers
-- Drivers of each host
select host_id, filter, list(distinct volume) as volumes from filter_drivers group by all
order by host_id

-- Anti-virus
select host_id, filter, volume from filter_drivers where altitude >= 320000 and altitude < 330000

-- By altitude
select altitude, filter, count(*) as n from filter_drivers group by all order by altitude desc

-- Volumes
select host_id, volume, count(*) as filters from filter_drivers group by all order by filters desc

-- Source file
select f.filter, c.path, f.line from filter_drivers f join captures c using (capture_id)

-- # network_facts
-- TCP settings
select host_id, autotuning_level from network_facts where topic = 'tcp_global'

-- Round trips
select host_id, target_host, round_trip_ms from network_facts where topic = 'ping'
order by round_trip_ms desc

-- Bulk copies
select source_host, destination_host, bytes_per_s / 1e6 as mb_per_s from network_facts
where topic = 'robocopy'

-- Connections without window scaling
select client, server, server_port from network_facts
where topic = 'tcp_handshake' and 'none' in (client_scale, server_scale)

-- Source file
select n.topic, c.path, n.line from network_facts n join captures c using (capture_id)

-- # collections
-- Versions of the tool
select host_id, tool_version from collections

-- Scenarios
select host_id, scenarios from collections

-- Collections without a scenario
select host_id from collections where not contains(scenarios, 'AlwaysOn')

-- Source file
select c.path, l.tool_version from collections l join captures c using (capture_id)

-- Number of hosts
select tool_version, count(distinct host_id) as hosts from collections group by all
