-- Which statements of availability groups were executed, where and when (AlwaysOn_health session)?
select c.host_id as host, e._time as time, e.statement, cast(e.ddl_phase as varchar) as phase
from events_alwayson_ddl_executed e
join (select content_id, any_value(host_id) as host_id from captures group by content_id) c
  on c.content_id = e._content_id
where c.host_id is not null and e.statement is not null
order by e._time;
