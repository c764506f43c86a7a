-- # log_entries
-- Errors of severity 16 and above
select time, host_id, error, severity, text from log_entries where severity >= 16 order by time

-- How often each error was logged
select host_id, error, count(*) as n, min(time) as first, max(time) as last from log_entries
where error is not null group by all order by n desc

-- Entries about a database
select time, host_id, line, text from log_entries where contains(text, 'SalesDB') order by time

-- Entries of a session besides errors
select o.time, o.session, o.text from log_entries e
join log_entries o on o.content_id = e.content_id and o.session = e.session and o.time between e.time - interval 1 minute and e.time
where e.error is not null order by o.time, o.line

-- Failed connections between replicas
select time, host_id, text from log_entries where source = 'ucs_connection_setup' order by time

-- # log_messages
-- Known messages in each log
select host_id, topic, message_id, count(*) as n from log_messages group by all order by n desc

-- Changes of roles, as fields
select time, host_id, fields['database'] as database, fields['before'] as before, fields['after'] as after
from log_messages where topic = 'role_change' order by time

-- A known message with its text
select m.time, m.topic, e.text from log_messages m
join log_entries e on e.content_id = m.content_id and e.line = m.line order by m.time, m.line
limit 20

-- Fields of a topic
select topic, list(distinct name order by name) as fields
from (select topic, unnest(map_keys(fields)) as name from log_messages) group by all order by topic

-- Languages of logs
select host_id, language, count(*) as n from log_messages group by all

-- # os_events
-- Errors, by source
select source, event_id, count(*) as n, max(time) as last from os_events where level = 'Error'
group by all order by n desc

-- Events of the cluster
select time, host_id, event_id, left(message, 120) as message from os_events
where source = 'Microsoft-Windows-FailoverClustering' order by time

-- Disks that retried
select time, host_id, message from os_events where event_id in (129, 153, 11, 15) order by time

-- Around a moment
select time, host_id, source, event_id from os_events
where time between timestamptz '2024-02-06 14:40:00+00' and timestamptz '2024-02-06 14:50:00+00'

-- By day and level
select time_bucket(interval 1 day, time) as day, level, count(*) as n from os_events
where time is not null group by all order by day

-- # cluster_log
-- Errors and warnings
select time_local, host_id, level, component, left(text, 160) as text from cluster_log
where level in ('ERR', 'WARN') order by time_local limit 100

-- Entries of a group's resource
select time_local, host_id, resource, text from cluster_log where text like '%[hadrag]%'
order by time_local limit 100

-- Components by number of entries
select component, level, count(*) as n from cluster_log group by all order by n desc limit 20

-- Leases
select time_local, host_id, text from cluster_log where text ilike '%lease%' order by time_local

-- Lines by minute
select time_bucket(interval 1 minute, time_local) as minute, host_id, count(*) as n from cluster_log
group by all order by n desc limit 20

-- # rowsets
-- Unknown rowsets
select name, count(distinct "row") as rows, count(distinct "column") as columns from rowsets
group by all

-- Columns of each rowset
select name, list(distinct "column") as columns from rowsets group by all

-- Search for a word
select name, "row", "column", value from rowsets where value ilike '%error%' limit 50

-- A rowset as written
select "row", map_from_entries(list(("column", value))) as cells from rowsets
group by capture_id, name, "row" limit 50

-- Source line
select distinct c.path, r.name, min(r.line) as line from rowsets r
join captures c using (capture_id) group by all

-- # counter_values
-- Values of one counter
select time, host_id, instance, value from counter_values where counter = 'Log Send Queue'
order by time

-- Means by hour
select host_id, instance, time_bucket(interval 1 hour, time) as hour, avg(value) as mean
from counter_values where counter = 'Log Bytes Flushed/sec' group by all order by hour

-- Percentiles of each series
select host_id, object, instance, counter, quantile_cont(value, [0.5, 0.95, 0.99]) as percentiles, count(*) as n
from counter_values where object = 'SQLServer:Database Replica' group by all

-- Two counters side by side
select time, host_id, instance, max(value) filter (counter = 'Transaction Delay') as delay_ms, max(value) filter (counter = 'Mirrored Write Transactions/sec') as transactions
from counter_values where object = 'SQLServer:Database Replica' group by all order by time

-- Counters in the minute before each failover
select f.failover_id, v.host_id, v.counter, v.instance, avg(v.value) as mean from failovers f
join counter_values v on v.time between f.start - interval 1 minute and f.start group by all
order by all
