-- What did each server wait for that explains a commit, by cause, from look to look of its wait statistics, and how long
-- was the log send queue of its replicas meanwhile? The queue is that of the replica that had most, all databases together:
-- its own counter, as the primary's shows 0.
-- null: start, end, writes, write_ms, replica, queue_bytes, samples
with kinds as (
    select unnest($types::varchar[]) as wait_type, unnest($causes::varchar[]) as cause
),
looked as (
    select w.host_id, coalesce(w.sql_instance, 'MSSQLSERVER') as sql_instance,
           w.time - to_milliseconds((w.seconds * 1000)::bigint) as start, w.time as "end", w.seconds, w.start_local,
           w.time_local as end_local, k.cause, sum(w.waiting_tasks)::bigint as n, sum(w.wait_ms)::double as ms
    from waits w join kinds k using (wait_type)
    where w.host_id is not null and w.seconds > 0
    group by all
),
intervals as (
    select host_id, sql_instance, start, "end", start_local, end_local, seconds,
           coalesce(sum(n) filter (cause = 'replica'), 0)::bigint as commits,
           coalesce(sum(ms) filter (cause = 'replica'), 0) as commit_ms,
           sum(n) filter (cause = 'log') as writes, sum(ms) filter (cause = 'log') as write_ms,
           coalesce(sum(ms) filter (cause = 'log_buffer'), 0) as log_buffer_ms,
           coalesce(sum(ms) filter (cause = 'flow_control'), 0) as flow_control_ms,
           coalesce(sum(ms) filter (cause = 'catch_up'), 0) as catch_up_ms,
           coalesce(sum(ms) filter (cause = 'threads'), 0) as threads_ms
    from looked
    group by all
),
sent as (
    select distinct coalesce(primary_host_id, upper(split_part(split_part(primary_replica, '\', 1), '.', 1))) as host_id,
           replica_host_id as replica
    from streams
    where replica_host_id is not null
),
queued as (
    select host_id as replica, time, sum(value) * 1024 as bytes
    from counter_values
    where object = 'SQLServer:Database Replica' and counter = 'Log Send Queue' and value is not null and time is not null
      and lower(instance) <> '_total' and host_id in (select replica from sent)
    group by all
),
by_replica as (
    select i.host_id, i.sql_instance, i.start, i."end", q.replica, avg(q.bytes) as queue_bytes, count(*) as samples
    from intervals i
    join sent t on t.host_id = i.host_id and t.replica <> i.host_id
    join queued q on q.replica = t.replica and q.time > i.start and q.time <= i."end"
    group by all
),
meanwhile as (
    from by_replica
    qualify row_number() over (partition by host_id, sql_instance, start, "end" order by queue_bytes desc, replica) = 1
)
select i.*, m.replica, m.queue_bytes, m.samples
from intervals i
left join meanwhile m
  on m.host_id = i.host_id and m.sql_instance = i.sql_instance and m.start is not distinct from i.start
 and m."end" is not distinct from i."end"
where i.commits > 0 or i.flow_control_ms > 0 or i.catch_up_ms > 0
order by i.host_id, i.sql_instance, i.start_local, i.end_local;
