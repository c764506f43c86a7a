-- What did the cluster logs say of groups and nodes? Debug texts are English everywhere; those of the channels
-- are told by what is behind them in the debug log.
with entries as (
    select content_id, line, host_id, time, time_local, resource, text,
           regexp_extract(text, 'move of group (.{1,200}) from (.{1,64})\([0-9]{1,4}\) to (.{1,64})\([0-9]{1,4}\) of type MoveType::([A-Za-z]{1,40}) is about to succeed',
                          ['ag', 'from', 'to', 'type']) as move,
           case when contains(text, '[hadrag]') then
                    case when contains(text, 'diagnostics heartbeat is lost') then 'health_timeout'
                         when regexp_matches(text, 'the state of .{1,60} component is error') then 'health_error'
                         when contains(text, 'service is not alive') or contains(text, 'returned a process id 0') then 'server_died'
                         when contains(text, 'lease is expired') or contains(text, 'lease is no longer valid')
                           or contains(text, 'Lease timeout detected') or contains(text, 'Lease renewal failed') then 'lease_lost'
                    end
                when contains(text, ': Lost quorum') then 'quorum_lost'
                when starts_with(text, '[RCM] Handling downed nodes') then 'nodes_down'
                when contains(text, 'has missed two-fifth consecutive heartbeats')
                  or contains(text, 'NetftRemoteUnreachable') then 'heartbeats_missed'
                when contains(text, 'rcm::RcmApi::MoveGroup: (Group:') then 'move_asked'
                when contains(text, 'was removed from the active failover cluster membership') then 'node_removed'
                when contains(text, 'MoveType::') and contains(text, 'is about to succeed') then 'group_moved'
                when regexp_matches(text, 'TransitionToState\(.{1,200}\) OnlinePending-->Online\.') then 'resource_online'
                when regexp_matches(text, 'TransitionToState\(.{1,200}\) Online-->') then 'resource_left'
                when starts_with(text, 'The Cluster service was successfully stopped') then 'cluster_stopped'
           end as kind
    from cluster_log
    where host_id is not null and time is not null
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
                        else if(kind in ('health_timeout', 'health_error', 'server_died', 'lease_lost'), resource, null)
              end as ag
    from entries
    where kind is not null
)
select 'cluster log' as source, 3 as rank, content_id, line, host_id as witness,
       -- A move is told of the node that gives the group away, a removal of the node that is gone.
       case kind when 'group_moved' then upper(split_part(move['from'], '.', 1))
                 when 'node_removed' then upper(split_part(split_part(text, '''', 2), '.', 1))
                 else host_id end as host_id,
       time, time_local, ag,
       if(kind = 'group_moved', upper(split_part(move['to'], '.', 1)), null) as replica,
       null::varchar as database, kind, null::varchar as before,
       case kind when 'group_moved' then move['type']
                 when 'move_asked' then regexp_extract(text, 'MoveType::([A-Za-z]{1,40})', 1)
                 when 'resource_left' then regexp_extract(text, ' Online-->([A-Za-z]{1,40})', 1) end as after,
       null::double as value, null::varchar as unit, left(text, 400) as text
from placed
where kind not in ('group_moved', 'move_asked', 'resource_online', 'resource_left') or ag in (from ags);
