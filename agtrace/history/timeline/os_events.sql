-- Which events of Windows tell of nodes, the cluster, the service or the disks? By source and number.
select 'event log' as source, 4 as rank, e.content_id, e.line, e.host_id as witness,
       -- A node that left is the one that the event names, not the one that wrote it.
       if(k.kind = 'node_left' and split_part(e.message, '''', 2) <> '', upper(split_part(split_part(e.message, '''', 2), '.', 1)), e.host_id) as host_id,
       e.time, e.time_local, null::varchar as ag, null::varchar as replica, null::varchar as database,
       k.kind, null::varchar as before, k.after, null::double as value, null::varchar as unit,
       left(e.message, 400) as text
from os_events e
join (values
    ('%FailoverClustering%', 1135, 'node_left', null), ('%FailoverClustering%', 1177, 'quorum_lost', null),
    ('%FailoverClustering%', 1069, 'resource_failed', null), ('%FailoverClustering%', 1205, 'resource_failed', null),
    ('%FailoverClustering%', 1254, 'failover_refused', 'failover threshold'),
    ('%FailoverClustering%', 1194, 'name_refused', null),
    ('%EventLog%', 6008, 'power_lost', null), ('%Kernel-Power%', 41, 'power_lost', null),
    ('%USER32%', 1074, 'shutdown_asked', null), ('%Service Control Manager%', 7031, 'service_died', null),
    ('%Service Control Manager%', 7034, 'service_died', null), ('%Resource-Exhaustion%', 2004, 'memory_low', null),
    ('%disk%', 153, 'disk_reset', 'retried'), ('%stor%', 129, 'disk_reset', 'reset')
) as k(source, event_id, kind, after) on e.event_id = k.event_id and e.source ilike k.source
where e.host_id is not null
  -- The service of SQL Server, whatever its name: MSSQLSERVER, MSSQL$NAME.
  and (k.kind <> 'service_died' or e.message ilike '%SQL Server (%' or e.message ilike '%MSSQL%');
