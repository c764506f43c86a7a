-- What belongs together, in order of time?
-- not null: parts.time, parts.kind
select * from incidents order by incident_id
