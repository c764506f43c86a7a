-- Which logs were full (message 9002), and which replica, on which hop, held the log back?
-- A replica holds it back that is not connected, whose data movement is suspended, that has not received it or not
-- redone it: what the primary's log last said of each replica, and the queues that perfmon showed meanwhile.
with faults as (
    select row_number() over (order by f.start_local, f.host_id, f."database", f.reason) as fault, f.*, c.path
    from database_faults f left join contents c on c.content_id = f.content_id
    where f.kind = 'log_full'
),
lost as (
    select f.fault, t.replica, arg_max(t.kind, t.time) as last, max(t.time) as since
    from faults f
    join timeline t on t.host_id = f.host_id and t."database" = f."database" and t.time <= f."end"
    where t.kind in ('database_connected', 'database_disconnected') and t.replica is not null
    group by all
),
stopped as (
    select f.fault, if(t.host_id = f.host_id, null, t.host_id) as replica, arg_max(t.kind, t.time) as last,
           max(t.time) as since
    from faults f
    join timeline t on t."database" = f."database" and t.time <= f."end"
    where t.kind in ('movement_suspended', 'movement_resumed')
    group by all
),
queued as (
    select f.fault, s.replica, max(s.send_queue_last_bytes) as send_bytes, max(s.recovery_queue_last_bytes) as redo_bytes
    from faults f
    join streams s on s.primary_host_id = f.host_id and s."database" = f."database"
     and s.start <= f."end" and s."end" >= f.start
    group by all
),
held as (
    select fault, 1 as rank, replica, 'connection' as hop, since, null::double as bytes from lost
    where last = 'database_disconnected'
    union all
    select fault, 2, replica, 'suspended', since, null from stopped where last = 'movement_suspended'
    union all
    select fault, 3, replica, 'redo', null, redo_bytes from queued where redo_bytes > 0 and redo_bytes >= coalesce(send_bytes, 0)
    union all
    select fault, 3, replica, 'send', null, send_bytes from queued where send_bytes > 0 and send_bytes > coalesce(redo_bytes, 0)
),
held_most as (
    select fault, arg_min({'replica': replica, 'hop': hop, 'since': since, 'bytes': bytes}, (rank, -coalesce(bytes, 0), replica)) as held
    from held group by fault
),
grouped as (
    select distinct on (primary_host_id, "database") primary_host_id as host_id, "database", ag from streams
    where ag is not null order by all
),
named as (
    select distinct on (host_id, "database") host_id, "database", ag from database_states where ag is not null order by all
),
sizes as (
    select f.fault, max_by(s.value, s.time) filter (c.counter = 'Log File(s) Used Size (KB)') * 1024 as used_bytes,
           max_by(s.value, s.time) filter (c.counter = 'Log File(s) Size (KB)') * 1024 as size_bytes,
           regr_slope(s.value * 1024, epoch(s.time)) filter (c.counter = 'Log File(s) Used Size (KB)' and s.time <= f.start) as growth,
           count(*) filter (c.counter = 'Log File(s) Used Size (KB)' and s.time <= f.start) as samples
    from faults f
    join counters c on c.host_id = f.host_id and c.instance = f."database" and c.counter like 'Log File(s)%Size (KB)'
    join samples s on s.counter_id = c.counter_id and s.value is not null
     and s.time between f.start - interval 1 hour and f."end" + interval 1 minute
    group by f.fault
)
select f.*, h.held.replica as replica, h.held.hop as hop, h.held.since as held_since, h.held.bytes as held_bytes,
       coalesce(g.ag, n.ag) as ag, z.used_bytes, z.size_bytes, z.growth, z.samples
from faults f
left join held_most h on h.fault = f.fault and f.reason = 'AVAILABILITY_REPLICA'
left join grouped g on g.host_id = f.host_id and g."database" = f."database"
left join named n on n.host_id = f.host_id and n."database" = f."database"
left join sizes z on z.fault = f.fault
order by f.fault;
