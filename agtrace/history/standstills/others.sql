-- Who else sampled its schedulers while a host stood still? By the clock of that host.
with late as (
    select unnest($place::integer[]) as place, unnest($host::varchar[]) as host_id, unnest($since::timestamptz[]) as since,
           unnest($until::timestamptz[]) as until
),
clocks as (
    select host_id, max(skew_ms) as skew_ms from timeline where skew_ms is not null group by host_id
),
samples as (
    select o.host_id, e._time - to_microseconds((coalesce(c.skew_ms, 0) * 1000)::bigint) as time
    from events_scheduler_monitor_system_health_ring_buffer_recorded e
    join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id
    left join clocks c on c.host_id = o.host_id
    where e._time is not null and o.host_id is not null
)
select l.place, 'sample' as kind, s.host_id, null as replica, null as after, null as text,
       s.time + to_microseconds((coalesce(c.skew_ms, 0) * 1000)::bigint) as time, null as content_id, null as line,
       'system_health' as source, s.host_id as witness
from late l
left join clocks c on c.host_id = l.host_id
join samples s
  on s.host_id <> l.host_id and s.time + to_microseconds((coalesce(c.skew_ms, 0) * 1000)::bigint) between l.since and l.until
order by l.place, time;
