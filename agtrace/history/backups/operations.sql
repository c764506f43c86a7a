-- Which backups and restores were there, what did the trace flags show of each, and how did it end?
create or replace table scratch.backup_measured as
-- An outcome names its database: the last line that a session traced for that database before it
-- comes from the operation that ended. Backups of a log run beside those of data, so where both
-- sides say which it is, they must agree.
with lines_of as (
    select t.trace, t.chain, t.operation, t.database_key, t.scope, s.seq
    from scratch.backup_traces t join scratch.backup_steps s using (trace)
    where t.database_key is not null and s.mark <> 2
),
agreeing as (
    select o.seq, l.trace, l.seq as line_seq
    from scratch.backup_outcomes o
    asof join (select * from lines_of where scope is not null) l
      on l.chain = o.chain and l.database_key = o.database_key and l.scope = o.scope
     and l.operation = o.operation and o.seq >= l.seq
),
unsaid as (
    select o.seq, l.trace, l.seq as line_seq
    from scratch.backup_outcomes o
    asof join (select * from lines_of where scope is null) l
      on l.chain = o.chain and l.database_key = o.database_key and l.operation = o.operation
     and o.seq >= l.seq
),
candidates as (
    select seq, arg_max(trace, line_seq) as trace
    from (from agreeing union all from unsaid)
    group by seq
),
named as (
    -- The first outcome behind its lines is the trace's own; later ones were not traced.
    select min(seq) as seq, trace from candidates group by trace
),
-- What only an event traced belongs to the outcome that the log gives for it, by host and time.
of_event as (
    select t.trace, t.database_key, t.operation, t.scope, t.first_time, t.last_time, f.host_id
    from scratch.backup_traces t join scratch.backup_files f on f.file = t.seq // 1000000000000
    where t.is_event and t.database_key is not null
),
by_event as (
    select min(o.seq) as seq, e.trace
    from scratch.backup_outcomes o
    join scratch.backup_files f on f.file = o.seq // 1000000000000
    join of_event e on e.host_id = f.host_id and e.database_key = o.database_key and e.operation = o.operation
    where o.time between e.first_time and e.last_time + interval 10 seconds
      and coalesce(e.scope, o.scope) = o.scope and o.seq not in (select seq from named)
    group by e.trace
),
-- Lines without a database (3213 alone, 3014 up to 2014) belong to an outcome only where nothing
-- else can: the one before and the one behind are settled.
loose as (
    select chain, last_seq as seq, trace, operation, scope, true as is_trace
    from scratch.backup_traces where database_key is null
    union all
    select chain, seq, null, operation, scope, false
    from scratch.backup_outcomes anti join (select seq from named union select seq from by_event) using (seq)
),
beside as (
    select *, lead(is_trace) over w as next_is_trace, lead(seq) over w as next_seq,
           lag(is_trace) over w as before_is_trace, lead(operation) over w as next_operation,
           lead(scope) over w as next_scope
    from loose
    window w as (partition by chain order by seq)
),
unnamed as (
    select next_seq as seq, trace
    from beside
    where is_trace and not next_is_trace and not coalesce(before_is_trace, false)
      and coalesce(operation, next_operation) is not distinct from next_operation
      and coalesce(scope, next_scope) is not distinct from next_scope
),
ended as (
    select o.* exclude (command, message_ids, places, unread_file, is_of_seeding), m.trace, r.pages as processed, r.seconds, r.mb_per_s as stated, r.statement as said
    from scratch.backup_outcomes o
    left join (from named union all from by_event union all select seq, trace from unnamed) m using (seq)
    left join scratch.backup_rates r on r.outcome_seq = o.seq
),
every_one as (
    select coalesce(case when t.is_event then e.chain end, t.chain, e.chain) as chain,
           coalesce(case when t.is_event then e.seq end, t.seq, e.seq) as first_seq,
           coalesce(e.seq, t.last_seq) as seq,
           coalesce(e.database, t.database) as database,
           coalesce(e.operation, t.operation) as operation,
           coalesce(e.kind, case when t.scope = 'log' then 'log'
                                 when t.statement like '%DIFFERENTIAL%' then 'differential' end) as kind,
           coalesce(e.status, case when t.is_finished then 'completed' else 'unfinished' end) as status,
           coalesce(t.is_started or t.buffers is not null, false) as has_start,
           t.first_time as began, t.first_local as began_local,
           coalesce(e.time, case when t.is_finished then t.last_time end) as "end",
           coalesce(e.time_local, case when t.is_finished then t.last_local end) as end_local,
           coalesce(e.processed, e.pages_dumped) as pages, e.seconds, e.stated,
           coalesce(e.stripes, len(t.devices)) as stripes, e.media,
           coalesce(e.device_names, array_to_string(list_sort(t.devices), '|')) as device_names,
           e.first_lsn, e.last_lsn,
           t.trace
    from ended e full join scratch.backup_traces t using (trace)
    union all by name
    -- A rate whose outcome was not written, or could not be told from others.
    select chain, seq as first_seq, seq, operation,
           case when scope = 'log' then 'log' when statement like '%DIFFERENTIAL%' then 'differential' end as kind,
           'completed' as status, false as has_start, time as "end", time_local as end_local, pages,
           seconds, mb_per_s as stated
    from scratch.backup_rates where outcome_seq is null
),
timed as (
    select *,
           case when has_start then began_local
                else end_local - to_microseconds(cast(seconds * 1e6 as bigint)) end as start_local,
           case when has_start then began
                else "end" - to_microseconds(cast(seconds * 1e6 as bigint)) end as start,
           case when has_start then 'trace' when seconds is not null then 'message 3014' end as start_source
    from every_one
),
-- Snapshots (VSS, VDI) freeze the database; SQL Server itself then copies no data.
thawed as (
    select chain, seq, database_key, time_local from scratch.backup_lines where topic = 'resumed'
)
select row_number() over (order by coalesce(t.start_local, t.end_local, t.began_local), t.seq) - 1 as operation_id,
       t.*, f.server, f.host_id, f.sql_instance, f.content_id,
       t.first_seq % 1000000000000 as line,
       epoch(t.end_local - t.start_local) as duration_s,
       coalesce(epoch(t.end_local - z.time_local) <= 60, false) as is_snapshot
from timed t
join scratch.backup_files f on f.file = t.first_seq // 1000000000000
asof left join thawed z
  on z.chain = t.chain and z.database_key = lower(t.database) and t.seq >= z.seq;
