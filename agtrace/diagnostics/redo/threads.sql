-- How many threads of parallel redo did each server have, and which of its secondary databases got none?
-- Asked of logs that hold a start of the server and go on past perfmon: only these can show that a database got none.
-- A database's redo is parallel from its last "started" on (message 49930), until it is shut down.
-- null: version, growth
with starts as (
    select s.host_id, s.sql_instance, s.content_id, c.path, max(try_cast(split_part(s.version, '.', 1) as integer)) as version
    from server_starts s
    join captures c on c.capture_id = s.capture_id
    where s.version is not null and s.host_id is not null
      -- A log that was begun anew, or lacks its middle, does not tell what was started before or there.
      and s.content_id not in (select content_id from log_messages where topic = 'reinitialized')
      and s.content_id not in (select content_id from issues where kind = 'middle_missing')
    group by all
),
spans as (
    select host_id, sql_instance, content_id, min(time) as first, max(time) as last
    from log_messages
    where time is not null
    group by all
),
-- The threads of a server count from its last start on.
logs as (
    select s.*, p.first
    from starts s
    join spans p on p.content_id = s.content_id
    qualify row_number() over (partition by s.host_id, s.sql_instance order by p.first desc, s.path) = 1
),
ends as (
    select l.host_id, l.sql_instance, max(p.last) as last
    from logs l
    join spans p on p.host_id = l.host_id and p.sql_instance is not distinct from l.sql_instance
    group by all
),
pools as (
    select l.host_id, l.sql_instance, lower(m.fields['database']) as "database",
           arg_max(lower(m.fields['event']), (m.time, m.line)) as event,
           arg_max(try_cast(m.fields['pool_size'] as integer), (m.time, m.line)) as threads
    from logs l
    join spans p on p.host_id = l.host_id and p.sql_instance is not distinct from l.sql_instance
    join log_messages m on m.content_id = p.content_id and m.time >= l.first
    where m.topic = 'parallel_redo'
    group by all
),
parallel as (
    select host_id, sql_instance, sum(threads)::bigint as threads, max(threads) as most, count(*) as databases
    from pools
    where event = 'started' and threads > 0
    group by all
),
secondaries as (
    select replica_host_id as host_id, replica_instance as sql_instance, "database", min(start) as start, max("end") as "end",
           max(recovery_queue_growth_bytes_per_s) as growth
    from streams
    where "database" is not null
    group by all
)
select l.host_id, l.version, l.path, p.threads, p.most, p.databases,
       list(s."database" order by s."database") as serial, sum(s.growth) filter (s.growth > 0) as growth,
       min(s.start) as start, max(s."end") as "end"
from logs l
join ends e on e.host_id = l.host_id and e.sql_instance is not distinct from l.sql_instance
join parallel p on p.host_id = l.host_id and p.sql_instance is not distinct from l.sql_instance
join secondaries s
  on s.host_id = l.host_id and coalesce(s.sql_instance, 'MSSQLSERVER') = coalesce(l.sql_instance, 'MSSQLSERVER')
 and s.start >= l.first and s.start <= e.last
where not exists (
    from pools o
    where o.host_id = l.host_id and o.sql_instance is not distinct from l.sql_instance
      and o."database" = lower(s."database") and o.event = 'started')
group by all
order by l.host_id, l.path;
