-- What belongs together, in order of time?
select * from incidents order by incident_id
