-- What belongs together, in order of time?
-- not null: parts.time, parts.kind
select incident_id, start, "end", hosts, coalesce(failovers, []) as failovers, coalesce(parts, []) as parts
from incidents
order by incident_id
