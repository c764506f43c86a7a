-- Which waits of each host lasted long, as the session system_health keeps them when they end? In ms.
-- null: content_id, line
select coalesce(host_id, '') as host_id, wait_type, count(*) as n, max(ms) as longest_ms, sum(ms) as total_ms,
       min(time) as first, max(time) as last, arg_max(time, ms) as peak, arg_max(content_id, ms) as content_id,
       arg_max(seq, ms) as line
from long_waits
where time is not null and ms >= $least_ms
  -- Service Broker's own tasks wait for work, not for a resource.
  and not starts_with(wait_type, 'BROKER_')
group by all
order by 1, longest_ms desc, wait_type
