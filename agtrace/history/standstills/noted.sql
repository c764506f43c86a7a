-- What did others note of each host that stood still, and what did it note itself when it went on? By its own clock.
with late as (
    select unnest($place::integer[]) as place, unnest($host::varchar[]) as host_id, unnest($since::timestamptz[]) as since,
           unnest($until::timestamptz[]) as until
),
clocks as (
    select host_id, max(skew_ms) as skew_ms from timeline where skew_ms is not null group by host_id
),
near as (
    select l.place, l.host_id as still, l.since, l.until, t.kind, t.host_id, t.replica, t.text, t.after,
           t.time + to_microseconds((coalesce(c.skew_ms, 0) * 1000)::bigint) as time,
           t.witnesses[1].content_id as content_id, t.witnesses[1].line as line, t.witnesses[1].source as source,
           t.witnesses[1].host_id as witness
    from late l
    left join clocks c on c.host_id = l.host_id
    join timeline t
      on t.time + to_microseconds((coalesce(c.skew_ms, 0) * 1000)::bigint) between l.since and l.until + interval 60 seconds
)
select place, kind, host_id, replica, after, text, time, content_id, line, source, witness
from near
where kind in ('connection_timeout', 'database_disconnected', 'node_removed', 'node_left', 'node_offline', 'quorum_lost', 'lease_expired',
               'node_quarantined', 'lease_lost', 'connected', 'resource_offline', 'replica_state')
order by place, time;
