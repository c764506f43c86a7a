-- Which waits of each host lasted long, as the session system_health keeps them when they end? In ms.
select coalesce(o.host_id, '') as host_id, e.wait_type::varchar as wait_type, count(*) as n, max(d.ms) as longest_ms, sum(d.ms) as total_ms,
       min(e._time) as first, max(e._time) as last, arg_max(e._time, d.ms) as peak, arg_max(e._content_id, d.ms) as content_id,
       arg_max(e._seq, d.ms) as line
from events_wait_info e
join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id,
     lateral (select try_cast(e.duration as double) as ms) d
where e._time is not null and d.ms >= $least_ms
  -- Service Broker's own tasks wait for work, not for a resource.
  and not starts_with(e.wait_type::varchar, 'BROKER_')
group by all
order by 1, longest_ms desc, wait_type
