-- What did the cluster logs say of groups and nodes? Debug texts are English everywhere; those of the channels
-- are told by what is behind them in the debug log, and where a copy has nothing else by their own English words.
with entries as (
    select content_id, line, host_id, time, time_local, process_id, resource, text,
           regexp_extract(text, 'move of group (.{1,200}) from (.{1,64})\(([0-9]{1,4})\) to (.{1,64})\(([0-9]{1,4})\) of type MoveType::([A-Za-z]{1,40}) is about to succeed',
                          ['ag', 'from', 'from_number', 'to', 'to_number', 'type']) as move,
           case when contains(text, '[hadrag]') then
                    case when contains(text, 'diagnostics heartbeat is lost') then 'health_timeout'
                         when regexp_matches(text, 'the state of .{1,60} component is error') then 'health_error'
                         when contains(text, 'service is not alive') or contains(text, 'returned a process id 0') then 'server_died'
                         when contains(text, 'lease is expired') or contains(text, 'lease is no longer valid')
                           or contains(text, 'Lease timeout detected') or contains(text, 'Lease renewal failed') then 'lease_lost'
                         when scratch.monitor_failure(text) is not null then 'monitor_failed'
                    end
                when contains(text, ': Lost quorum') or starts_with(text, 'lost quorum (status') or starts_with(text, 'Quorum lost because') or starts_with(text, 'The Cluster service is shutting down because quorum was lost') then 'quorum_lost'
                when starts_with(text, '[RCM] Handling downed nodes') then 'nodes_down'
                when contains(text, 'has missed two-fifth consecutive heartbeats')
                  or contains(text, 'has missed more than 40 percent of consecutive heartbeats')
                  or contains(text, 'NetftRemoteUnreachable') then 'heartbeats_missed'
                when starts_with(text, 'Cluster has lost the UDP connection') then 'udp_lost'
                when contains(text, 'rcm::RcmApi::MoveGroup: (Group:') then 'move_asked'
                when contains(text, 'was removed from the active failover cluster membership') then 'node_removed'
                when regexp_matches(text, '^Cluster node ''.{1,255}'' has been quarantined\.') then 'node_quarantined'
                when regexp_matches(text, '^Cluster node ''.{1,255}'' failed to join the cluster') then 'join_failed'
                when regexp_matches(text, '^Group ''.{1,200}'' has transitioned from state ''.{1,40}'' to state ''Orphaned''') then 'group_orphaned'
                when starts_with(text, 'The Cluster service failed to bring clustered role ''') then 'resource_failed'
                when contains(text, 'Not failing over group ') then 'threshold_reached'
                when contains(text, 'has crashed or deadlocked') or contains(text, 'RhsCall::DeadlockMonitor: Call ') then 'resource_host_deadlock'
                when contains(text, 'Cluster service has terminated') then 'cluster_terminated'
                when starts_with(text, '[IM] got event: Remote endpoint ') and contains(text, ' unreachable from ') then 'route_lost'
                when contains(text, 'witness tag (') and contains(text, 'is better than proposed tag') then 'tag_refused'
                when contains(text, 'failed to create its associated computer object') then 'name_refused'
                when regexp_matches(text, 'HandleMonitorReply: FAILURENOTIFICATION for ''.{1,200}''') then 'failure_notified'
                when contains(text, 'MoveType::') and contains(text, 'is about to succeed') then 'group_moved'
                when regexp_matches(text, 'TransitionToState\(.{1,200}\) OnlinePending-->Online\.') then 'resource_online'
                when regexp_matches(text, 'TransitionToState\(.{1,200}\) Online-->') then 'resource_left'
                when starts_with(text, 'The Cluster service was successfully stopped') then 'cluster_stopped'
           end as kind
    from cluster_log
    where time is not null or time_local is not null
),
-- A copy without its head names no node. The numbers that moves give nodes tell who lost quorum, and which process is whose.
numbers as (
    select content_id, number, min(node) as node
    from (select content_id, move['from_number'] as number, upper(split_part(move['from'], '.', 1)) as node from entries where move['ag'] <> ''
          union all
          select content_id, move['to_number'], upper(split_part(move['to'], '.', 1)) from entries where move['ag'] <> '')
    group by content_id, number
    having count(distinct node) = 1
),
processes as (
    select e.content_id, e.process_id, min(n.node) as node
    from entries e
    join numbers n on n.content_id = e.content_id and n.number = regexp_extract(e.text, 'Node ([0-9]{1,4}): Lost quorum', 1)
    where e.host_id is null
    group by e.content_id, e.process_id
    having count(distinct n.node) = 1
),
-- Disks, names and addresses are brought online as well, and roles without a group are moved.
ags as (
    select resource as ag from cluster_log where starts_with(text, '[RES] SQL Server Availability Group <')
    union
    select ag from scratch.timeline_told where ag is not null
),
placed as (
    select *, case kind when 'group_moved' then move['ag']
                        when 'move_asked' then regexp_extract(text, '\(Group:(.{1,200}) Dest:', 1)
                        when 'resource_online' then regexp_extract(text, 'TransitionToState\((.{1,200})\) OnlinePending', 1)
                        when 'resource_left' then regexp_extract(text, 'TransitionToState\((.{1,200})\) Online-->', 1)
                        when 'failure_notified' then regexp_extract(text, 'FAILURENOTIFICATION for ''(.{1,200})''', 1)
                        when 'threshold_reached' then regexp_extract(text, 'Not failing over group (.{1,200}?), failoverCount', 1)
                        when 'group_orphaned' then regexp_extract(text, '^Group ''(.{1,200})'' has transitioned from state ', 1)
                        when 'resource_failed' then regexp_extract(text, 'failed to bring clustered role ''(.{1,200})'' completely ', 1)
                        else if(kind in ('health_timeout', 'health_error', 'server_died', 'lease_lost', 'monitor_failed'), resource, null)
              end as ag
    from entries
    where kind is not null
)
select 'cluster log' as source, 3 as rank, p.content_id, p.line, coalesce(p.host_id, o.node) as witness,
       -- A move is told of the node that gives the group away, a removal of the node that is gone.
       case when p.kind = 'group_moved' then upper(split_part(p.move['from'], '.', 1))
            when p.kind in ('node_removed', 'node_quarantined', 'join_failed') then upper(split_part(split_part(p.text, '''', 2), '.', 1))
            else coalesce(p.host_id, o.node) end as host_id,
       p.time - to_microseconds(coalesce(k.ahead_us, 0)) as time, p.time_local, p.ag,
       if(p.kind = 'group_moved', upper(split_part(p.move['to'], '.', 1)), null) as replica,
       null::varchar as database, p.kind, null::varchar as before,
       case p.kind when 'group_moved' then p.move['type']
                   when 'move_asked' then regexp_extract(p.text, 'MoveType::([A-Za-z]{1,40})', 1)
                   when 'threshold_reached' then nullif(regexp_extract(p.text, 'computedFailoverThreshold ([0-9]{1,9})', 1), '')
                   when 'monitor_failed' then scratch.monitor_failure(p.text)
                   when 'resource_left' then regexp_extract(p.text, ' Online-->([A-Za-z]{1,40})', 1) end as after,
       -- How often the role failed, as the cluster counts it against its threshold; how often the node was lost.
       case p.kind when 'group_moved' then try_cast(nullif(regexp_extract(p.text, 'failoverCount=([0-9]{1,9})', 1), '') as double)
                   when 'threshold_reached' then try_cast(nullif(regexp_extract(p.text, 'failoverCount ([0-9]{1,9})', 1), '') as double)
                   when 'node_quarantined' then try_cast(nullif(regexp_extract(p.text, 'experienced ''([0-9]{1,9})'' consecutive failures', 1), '') as double)
       end as value,
       case when p.kind in ('group_moved', 'threshold_reached') then 'failovers' when p.kind = 'node_quarantined' then 'failures' end as unit, left(p.text, 400) as text
from placed p
left join processes o on o.content_id = p.content_id and o.process_id = p.process_id and p.host_id is null
-- Entries without a host are still by the clock of their node.
left join reference_clock k on k.host_id = o.node
where (p.kind not in ('group_moved', 'move_asked', 'resource_online', 'resource_left', 'group_orphaned', 'resource_failed', 'failure_notified') or p.ag in (select ag from ags))
  -- What names no node and no group is told of nobody.
  and (p.ag is not null or coalesce(p.host_id, o.node) is not null
       or p.kind in ('node_removed', 'node_quarantined', 'join_failed', 'heartbeats_missed', 'udp_lost', 'nodes_down'));
