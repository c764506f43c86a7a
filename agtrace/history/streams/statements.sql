-- Which statements about availability groups were executed, and when (AlwaysOn_health session)?
-- Every replica that logged one logged the same, so that the host does not matter.
select distinct epoch_us(_time) / 1e6 as time_s, statement
from events_alwayson_ddl_executed
where statement is not null and _time is not null
order by time_s, statement;
