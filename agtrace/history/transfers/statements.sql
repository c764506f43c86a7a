-- Which statements of availability groups were executed, where and when (AlwaysOn_health session)?
select c.host_id as host, e._time - to_microseconds(coalesce(k.ahead_us, 0)) as time, e.statement, cast(e.ddl_phase as varchar) as phase
from events_alwayson_ddl_executed e
join (select content_id, any_value(host_id) as host_id from captures group by content_id) c
  on c.content_id = e._content_id
left join reference_clock k on k.host_id = c.host_id
where c.host_id is not null and e.statement is not null
order by time;
