-- Which failovers were there, in order of time?
select * from failovers order by "end" nulls last, failover_id
