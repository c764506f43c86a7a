-- Who else sampled its schedulers while a host stood still?
with late as (
    select unnest($place::integer[]) as place, unnest($host::varchar[]) as host_id, unnest($since::timestamptz[]) as since,
           unnest($until::timestamptz[]) as until
),
signs as (
    select o.host_id, e._time - to_microseconds(coalesce(k.ahead_us, 0)) as time
    from events_scheduler_monitor_system_health_ring_buffer_recorded e
    join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id
    left join reference_clock k on k.host_id = o.host_id
    where e._time is not null and o.host_id is not null
)
select l.place, 'sample' as kind, s.host_id, null as replica, null as after, null as text,
       s.time, null as content_id, null as line,
       'system_health' as source, s.host_id as witness
from late l
join signs s on s.host_id <> l.host_id and s.time between l.since and l.until
order by l.place, time;
