-- Which failovers were there, in order of time? The primary of a distributed group moves with that of its group.
-- null: from_host, to_host, start, seconds_without_primary, start_source, confidence
-- not null: reasons.time, reasons.kind
select f.*, f.ag in (select ag from topology where is_distributed) as is_distributed
from failovers f
order by f."end", f.failover_id
