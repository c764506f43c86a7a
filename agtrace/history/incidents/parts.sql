-- What happened that may belong together, and which of it lies so near in time that it could?
create or replace table scratch.incident_parts as
with known as (
    select kind, host_id, upper(split_part(split_part(replica, '\', 1), '.', 1)) as other, ag, time as moment, coalesce("end", time) as until,
           text, witnesses[1].source as source, witnesses[1].content_id as content_id, witnesses[1].line as line,
           null::bigint as failover_id
    from timeline
    where time is not null
      and kind in ('connection_timeout', 'restart', 'lease_expired', 'lease_lost', 'lease_no_signal', 'lease_not_valid', 'quorum_lost', 'node_offline',
                   'node_removed', 'node_left', 'node_quarantined', 'nodes_down', 'join_failed', 'group_orphaned', 'heartbeats_missed',
                   'udp_lost', 'health_timeout', 'health_error', 'not_alive', 'server_died', 'service_died', 'database_failed',
                   'ag_failed', 'resource_failed', 'power_lost', 'cluster_stopped',
                   'fence_asked', 'fenced', 'fence_failed', 'monitor_timeout', 'operation_timeout', 'operation_failed')
    union all
    select 'standstill', s.host_id, null, null, s.start, s."end", s.kind, s.witnesses[1].source,
           s.witnesses[1].content_id, s.witnesses[1].line, null
    from standstills s
    union all
    select 'failover', nullif(f.to_host, ''), nullif(f.from_host, ''), f.ag,
           coalesce(f.start, f."end"), f."end",
           concat(f.mode, ', ', f.trigger, ', ', f.cause), null, null, null, f.failover_id
    from failovers f
    where f."end" is not null
),
reached as (
    select *, max(until) over (order by moment, until, kind rows between unbounded preceding and 1 preceding) as before
    from known
)
select *, count(if(before is null or moment > before + interval 60 seconds, 1, null)) over (order by moment, until, kind, host_id rows unbounded preceding) as island
from reached;
