-- # coverage
-- Period of each source and host
select host_id, source, first, last, records from coverage order by host_id, first

-- The longest gaps between records
select host_id, source, longest_silence_s, silent_from, silent_to from coverage
order by longest_silence_s desc nulls last limit 20

-- Hosts that lack a source
select h.host_id from hosts h
left join coverage c on c.host_id = h.host_id and c.source = 'ERRORLOG' where c.host_id is null

-- Time when all hosts were watched
select max(first) as begins, min(last) as ends
from (select host_id, min(first) as first, max(last) as last from coverage group by all)

-- Gaps longer than the usual pace
select host_id, source, longest_silence_s, expected_s from coverage
where longest_silence_s > 10 * expected_s

-- # log_gaps
-- Gaps of each server
select host_id, start, "end", is_filled from log_gaps order by host_id, start_local

-- Gaps that no copy fills
select host_id, start_local, end_local from log_gaps where not is_filled

-- Duration of gaps
select host_id, epoch(end_local) - epoch(start_local) as seconds from log_gaps order by seconds desc

-- Failovers within a gap
select f.failover_id, g.host_id from failovers f
join log_gaps g on f.start between g.start and g."end"

-- Affected logs
select c.path, g.start_local, g.end_local from log_gaps g join captures c using (capture_id)

-- # perfmon_gaps
-- Gaps by length
select host_id, start, "end", missing_s from perfmon_gaps order by missing_s desc

-- Missing time by host
select host_id, sum(missing_s) as seconds, count(*) as n from perfmon_gaps group by all

-- Affected logs
select distinct c.path, g.start from perfmon_gaps g join captures c using (content_id)
order by g.start

-- Gaps in a standstill
select s.host_id, g.start, g."end" from standstills s
join perfmon_gaps g on g.host_id = s.host_id and g.start < s."end" and g."end" > s.start

-- Gaps around a failover
select f.failover_id, g.host_id, g.missing_s from failovers f
join perfmon_gaps g on f.start between g.start and g."end"

-- # clock_steps
-- All steps back
select source, host_id, before_local, after_local, back_s from clock_steps order by before_local

-- The largest
select host_id, back_s from clock_steps order by back_s desc limit 10

-- By host
select host_id, count(*) as n, max(back_s) as most_s from clock_steps group by all

-- Source line
select c.path, s.line, s.back_s from clock_steps s join captures c using (content_id)

-- Steps of an ERRORLOG
select host_id, line, back_s from clock_steps where source = 'ERRORLOG' order by host_id, line

-- # unknown_offsets
-- Logs without a known offset
select c.path, u.unknown, u.rows from unknown_offsets u join captures c using (content_id)

-- By host
select host_id, sum(unknown) as rows from unknown_offsets group by all

-- Share of each log
select content_id, unknown / rows as share from unknown_offsets order by share desc

-- Time span
select host_id, min(first_local) as first, max(last_local) as last from unknown_offsets group by all

-- ERRORLOGs only
select host_id, first_local, last_local from unknown_offsets where source = 'ERRORLOG'
