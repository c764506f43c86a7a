-- Which replica, on which hop, held the log back while it was full (message 9002) or filled in the last hour of its
-- counters, and how full was it?
-- A replica holds it back that is not connected, whose data movement is suspended, that has not received it or not
-- redone it: what the primary's log last said of each replica, the queues that perfmon showed meanwhile, else those of
-- a snapshot within an hour, or of one that has no time.
-- null: sql_instance, reason, start, end, start_local, end_local, line, reason_place, content_id, held_rank, replica, hop, held_since, held_bytes, held_place, write_ms, writes_n, ag, used_bytes, size_bytes, growth, samples, growth_error, late_growth, volume
with said as (
    select 'full' as stretch, host_id, sql_instance, "database", reason, start, "end", start_local, end_local, entries,
           content_id, line, null::varchar as reason_place
    from database_faults where kind = 'log_full'
),
-- What a look said of the log's reuse near the end of the counters.
reused as (
    select g.host_id, g.sql_instance, g."database", arg_max(d.log_reuse_wait, d.time) as reason,
           arg_max(coalesce(c.path, 'a look') || ' line ' || d.line, d.time) as place
    from log_growths g
    join databases d on d.host_id = g.host_id and d."database" = g."database" and d.log_reuse_wait is not null
     and coalesce(d.sql_instance, g.sql_instance) = g.sql_instance
     and d.time between g.start - interval 1 hour and g."end" + interval 1 hour
    left join contents c on c.content_id = d.content_id
    group by all
),
filling as (
    select 'filling' as stretch, g.host_id, g.sql_instance, g."database", l.reason, g.start, g."end",
           null::timestamp as start_local, null::timestamp as end_local, null::bigint as entries,
           null::varchar as content_id, null::bigint as line, l.place as reason_place
    from log_growths g
    left join reused l using (host_id, sql_instance, "database")
    where g.growth_bytes_per_s > 0
      and not exists (from said s where s.host_id = g.host_id and s."database" = g."database")
),
stretches as (
    select row_number() over (order by stretch desc, coalesce(start_local, start at time zone 'UTC'), host_id, "database", reason) as fault, *
    from (from said union all by name from filling)
),
faults as (
    select f.*, coalesce(c.path, 'ERRORLOG') as path
    from stretches f
    left join contents c on c.content_id = f.content_id
),
lost as (
    select f.fault, t.replica, arg_max(t.kind, t.time) as last, max(t.time) as since
    from faults f
    join timeline t on t.host_id = f.host_id and t."database" = f."database" and t.time <= f."end"
    where t.kind in ('database_connected', 'database_disconnected') and t.replica is not null
    group by all
),
-- Of which replicas does anything tell that they are those of the primary? A stranger may have a database of that name.
partners as (
    select f.fault, p.replica
    from faults f
    join (
        select host_id, replica from timeline
        union
        select host_id, replica from replicas
        union
        select host_id, replica from database_states
        union
        select primary_host_id, coalesce(replica_host_id, replica) from streams
    ) p on p.host_id = f.host_id and p.replica is not null
),
stopped as (
    select f.fault, if(t.host_id = f.host_id, null, t.host_id) as replica, arg_max(t.kind, t.time) as last,
           max(t.time) as since
    from faults f
    join timeline t on t."database" = f."database" and t.time <= f."end"
    where t.kind in ('movement_suspended', 'movement_resumed')
      and (t.host_id = f.host_id
           or exists (from partners p where p.fault = f.fault
                      and upper(split_part(split_part(p.replica, '\', 1), '.', 1)) = upper(t.host_id)))
    group by all
),
queued as (
    select f.fault, s.replica, s.replica_host_id, max(s.send_queue_last_bytes) as send_bytes,
           max(s.recovery_queue_last_bytes) as redo_bytes
    from faults f
    join streams s on s.primary_host_id = f.host_id and s."database" = f."database"
     and s.start <= f."end" and s."end" >= f.start
    group by all
),
-- How long a write of its log took on each replica then, and for how much of the time one was under way.
written as (
    select q.fault, q.replica,
           sum(v.value) filter (v.counter = 'Log Flush Write Time (ms)')
           / nullif(sum(v.value) filter (v.counter = 'Log Flushes/sec'), 0) as write_ms,
           avg(v.value) filter (v.counter = 'Log Flush Write Time (ms)') / 1000 as busy_share,
           count(*) filter (v.counter = 'Log Flush Write Time (ms)') as n
    from queued q
    join faults f using (fault)
    join counter_values v on v.host_id = q.replica_host_id and v.object = 'SQLServer:Databases' and v.instance = f."database"
     and v.counter in ('Log Flush Write Time (ms)', 'Log Flushes/sec') and v.value is not null
     and v.time between f.start - interval 1 hour and f."end" + interval 1 minute
    group by all
),
looked as (
    select f.fault, d.replica, d.time, d.is_suspended,
           d.log_send_queue_kb * 1024 as send_bytes, d.redo_queue_kb * 1024 as redo_bytes,
           coalesce(c.path, 'a look') || ' line ' || d.line as place
    from faults f
    -- A row that names no replica is of one that is not known, never of the host that was queried.
    join database_states d on d.host_id = f.host_id and d."database" = f."database" and not coalesce(d.is_local, false)
     and upper(split_part(split_part(d.replica, '\', 1), '.', 1)) <> upper(f.host_id)
     and (d.time between f.start - interval 1 hour and f."end" + interval 1 hour or d.time_local is null)
    left join contents c on c.content_id = d.content_id
    qualify row_number() over (partition by f.fault, d.replica
                               order by abs(epoch(d.time) - epoch(f.start)) nulls last, d.content_id, d.line) = 1
),
held as (
    select fault, 1 as rank, replica, 'connection' as hop, since, null::double as bytes, null::varchar as place from lost
    where last = 'database_disconnected'
    union all
    select fault, 2, replica, 'suspended', since, null, null from stopped s where last = 'movement_suspended'
    -- What its primary connected to again afterwards is not known to be suspended still: the log of the replica may be cut.
      and not exists (from lost l where l.fault = s.fault and l.last = 'database_connected' and l.since > s.since
                      and upper(split_part(split_part(l.replica, '\', 1), '.', 1)) = upper(s.replica))
    union all
    select fault, 3, replica, 'suspended', time, null, place from looked where is_suspended
    union all
    select fault, 4, replica, 'redo', null, redo_bytes, null from queued where redo_bytes > 0 and redo_bytes >= coalesce(send_bytes, 0)
    union all
    select q.fault, 4, q.replica,
           if(w.n >= $least and w.write_ms >= $slow_ms and w.busy_share >= $idle_share, 'harden', 'send'), null, send_bytes, null
    from queued q left join written w using (fault, replica)
    where send_bytes > coalesce(redo_bytes, 0)
    union all
    select fault, 5, replica, if(coalesce(redo_bytes, 0) >= coalesce(send_bytes, 0), 'redo', 'send'), time,
           greatest(coalesce(redo_bytes, 0), coalesce(send_bytes, 0)), place
    from looked where greatest(coalesce(redo_bytes, 0), coalesce(send_bytes, 0)) > 0
),
held_most as (
    select fault, arg_min({'rank': rank, 'replica': replica, 'hop': hop, 'since': since, 'bytes': bytes, 'place': place},
                          (rank, -coalesce(bytes, 0), replica)) as held
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
    select f.fault, max_by(v.value, v.time) filter (v.counter = 'Log File(s) Used Size (KB)') * 1024 as used_bytes,
           max_by(v.value, v.time) filter (v.counter = 'Log File(s) Size (KB)') * 1024 as size_bytes,
           regr_slope(v.value * 1024, epoch(v.time)) filter (v.counter = 'Log File(s) Used Size (KB)' and v.time <= f.start) as growth,
           count(*) filter (v.counter = 'Log File(s) Used Size (KB)' and v.time <= f.start) as samples
    from faults f
    join counter_values v on v.host_id = f.host_id and v.instance = f."database" and v.counter like 'Log File(s)%Size (KB)'
     and v.value is not null and v.time between f.start - interval 1 hour and f."end" + interval 1 minute
    group by f.fault
)
select f.*, h.held.rank as held_rank, h.held.replica as replica, h.held.hop as hop, h.held.since as held_since,
       h.held.bytes as held_bytes, h.held.place as held_place, w.write_ms, w.n as writes_n, coalesce(g.ag, n.ag) as ag,
       coalesce(l.used_bytes, z.used_bytes) as used_bytes, z.size_bytes, coalesce(l.growth_bytes_per_s, z.growth) as growth,
       coalesce(l.samples, z.samples) as samples, l.growth_error_bytes_per_s as growth_error,
       l.late_growth_bytes_per_s as late_growth,
       (select min_by(t.text, abs(epoch(t.time) - epoch(f.start))) from timeline t where t.host_id = f.host_id and t.kind = 'volume_full'
        and f.stretch = 'full' and t.time between f.start - interval 1 minute and f."end" + interval 1 minute) as volume
from faults f
left join held_most h on h.fault = f.fault and (f.stretch = 'filling' or f.reason = 'AVAILABILITY_REPLICA'
                                               or f.reason = 'REPLICATION' and h.held.hop = 'connection')
left join written w on w.fault = f.fault and w.replica = h.held.replica and h.held.hop = 'harden'
left join log_growths l
  on f.stretch = 'filling' and l.host_id = f.host_id and l.sql_instance = f.sql_instance and l."database" = f."database"
left join grouped g on g.host_id = f.host_id and g."database" = f."database"
left join named n on n.host_id = f.host_id and n."database" = f."database"
left join sizes z on z.fault = f.fault
order by f.fault;
