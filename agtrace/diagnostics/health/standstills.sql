-- Who stood still, in order of time?
select * from standstills order by start, host_id
