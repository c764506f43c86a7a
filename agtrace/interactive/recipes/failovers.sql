-- # roles
-- Primaries over time
select ag, host_id, start, "end" from roles where role = 'PRIMARY' order by ag, start

-- Time as primary by host
select ag, host_id, sum(epoch("end" - start)) / 3600 as hours from roles where role = 'PRIMARY'
group by all

-- The primary at a moment
select ag, host_id from roles
where role = 'PRIMARY' and start <= timestamptz '2019-08-20 14:00:00+00' and coalesce("end", 'infinity') > timestamptz '2019-08-20 14:00:00+00'

-- Number of changes
select ag, host_id, count(*) as roles from roles group by all order by roles desc

-- Evidence
select distinct evidence from roles

-- # failovers
-- Each failover with its cause
select start, ag, from_host, to_host, mode, "trigger", cause, confidence from failovers
order by start

-- Time without a primary
select ag, start, seconds_without_primary from failovers
order by seconds_without_primary desc nulls last

-- By cause
select cause, mode, count(*) as n, median(seconds_without_primary) as seconds from failovers
group by all

-- Evidence for and against the cause
select failover_id, cause, reasons, against from failovers

-- Groups that moved at the same time
select time_bucket(interval 1 minute, start) as minute, list(ag) as groups from failovers
group by all having count(*) > 1

-- # standstills
-- All standstills, with duration
select host_id, kind, start, seconds_low, seconds_high from standstills order by start

-- The longest
select host_id, seconds_low, witnesses from standstills order by seconds_low desc limit 10

-- Paused machines: the clock gained on the ticks
select host_id, start, clock_gained_s from standstills where clock_gained_s > 0

-- Standstills by host
select host_id, count(*) as n, sum(seconds_low) as seconds from standstills group by all

-- Failovers during a standstill
select f.ag, f.start, s.host_id, s.seconds_low from failovers f
join standstills s on f.start between s.start and coalesce(s."end", s.start) + interval 1 minute

-- # restarts
-- How instances ended
select host_id, kind, asked, last_sign, started, ready from restarts order by started

-- Downtime
select host_id, kind, ready - coalesce(asked, last_sign) as away from restarts
order by away desc nulls last

-- Unrequested restarts
select host_id, last_sign, last_sign_by, started from restarts where asked is null

-- First partner that noticed
select host_id, missed_since, missed_by from restarts where missed_since is not null

-- Restarts by host
select host_id, count(*) as n from restarts group by all order by n desc

-- # incidents
-- All incidents
select incident_id, kind, start, "end", ags, hosts, parts_n from incidents order by start

-- The longest
select incident_id, kind, "end" - start as lasted from incidents order by lasted desc nulls last
limit 10

-- Incidents with a failover
select incident_id, start, failovers from incidents where len(failovers) > 0

-- By host
select host, count(*) as n from (select unnest(hosts) as host from incidents) group by all
order by n desc

-- By day
select time_bucket(interval 1 day, start) as day, count(*) as n from incidents group by all
order by day

-- # timeline
-- All events, in order
select time, kind, ag, host_id, "before", "after", text from timeline order by time limit 100

-- Events by kind
select kind, count(*) as n from timeline group by all order by n desc

-- State changes around a moment
select time, host_id, ag, "before", "after" from timeline
where kind = 'replica_state' and time between timestamptz '2024-02-06 14:40:00+00' and timestamptz '2024-02-06 14:50:00+00'
order by time

-- Lost connections, by pair
select host_id, replica, count(*) as n, min(time) as first, max(time) as last from timeline
where kind like '%disconnected' group by all

-- By hour
select time_bucket(interval 1 hour, time) as hour, kind, count(*) as n from timeline
where time is not null group by all order by hour
