-- What did others note of each host that stood still, and what did it note itself when it went on?
with late as (
    select unnest($place::integer[]) as place, unnest($host::varchar[]) as host_id, unnest($since::timestamptz[]) as since,
           unnest($until::timestamptz[]) as until
),
near as (
    select l.place, l.host_id as still, l.since, l.until, t.kind, t.host_id, t.replica, t.text, t.after,
           t.time, t.witnesses[1].content_id as content_id, t.witnesses[1].line as line, t.witnesses[1].source as source,
           t.witnesses[1].host_id as witness
    from late l
    join timeline t on t.time between l.since and l.until + interval 60 seconds
)
select place, kind, host_id, replica, after, text, time, content_id, line, source, witness
from near
where kind in ('connection_timeout', 'database_disconnected', 'node_removed', 'node_left', 'node_offline', 'quorum_lost', 'lease_expired',
               'node_quarantined', 'lease_lost', 'connected', 'resource_offline', 'replica_state')
order by place, time, content_id, line;
