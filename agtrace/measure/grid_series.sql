-- Which perfmon series carry the transport, and on which grid is each host read?
-- A host whose clock is unknown for any of them keeps its local time (is_local); the others have the reference clock. The databases of
-- a group are those with a Database Replica instance anywhere in the case; sums never run over
-- _Total. A grid step is the host's sampling interval, longer only where it has very many rows, or all hosts
-- together have.
create or replace table scratch.transport_series as
with replicated as (
    select distinct lower(instance) as database
    from counters
    where object = 'SQLServer:Database Replica'
),
wanted as (
    select counter_id, content_id, host_id, sql_instance, object, counter, instance
    from counters
    where list_contains($wanted, object || '\' || counter)
      and host_id is not null
      and instance is distinct from '_Total'
      and (object <> 'SQLServer:Databases' or lower(instance) in (from replicated))
),
load as (
    select host_id, count(*) as series
    from wanted
    group by host_id
),
hosted as (
    select w.host_id, bool_or(s.is_local) as is_local,
           max(s.step_us) as step_us, sum(s.rows) as rows,
           min(s.first_us) as first_us, min(s.first_local_us) as first_local_us
    from (select distinct host_id, content_id from wanted) w
    join scratch.log_steps s using (content_id)
    group by w.host_id
),
thinned as (
    select *, own * greatest(1, sum(rows * series / own) over () / 24e6) as times
    from (
        select h.*, l.series, greatest(1, h.rows / 20000.0, h.rows * l.series / 8e6) as own
        from hosted h
        join load l using (host_id)
    )
)
select dense_rank() over (
           order by w.host_id, w.sql_instance nulls first, w.object, w.counter, lower(w.instance)
       ) - 1 as series_no,
       w.*, h.is_local, if(h.is_local, 0, coalesce(k.ahead_us, 0)) as ahead_us,
       case when h.is_local then h.first_local_us else h.first_us - coalesce(k.ahead_us, 0) end as first_us,
       coalesce(h.step_us, 1e6) as interval_us,
       coalesce(h.step_us, 1e6) * h.times as step_us, h.rows / h.times as steps
from wanted w
join thinned h using (host_id)
left join reference_clock k using (host_id);
