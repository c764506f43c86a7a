-- What was waited for, type by type, between each look and the one before it in the same file? Files of one server with
-- a single look each are one series: two snapshots are often saved in two files.
-- Figures are cumulative since the start of SQL Server, or since they were cleared: one that falls
-- voids its interval, and counting begins anew there. A type that appears later counts from 0.
with written as (
    select r.capture_id, r.rowset, r.host_id, r.sql_instance, r.time_local, r.time, r.line, scratch.cell(k.names, r.cells, 'wait_type') as wait_type,
           scratch.whole(k.names, r.cells, 'waiting_tasks_count') as tasks,
           scratch.whole(k.names, r.cells, 'wait_time_ms') as ms
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'waits'
),
files as (
    select capture_id, count(distinct (rowset, time_local)) as looks, any_value(host_id) as host_id,
           any_value(sql_instance) as sql_instance, count(time_local) as timed
    from written group by capture_id
),
looks as (
    select f.series, w.*, dense_rank() over (
               partition by f.series order by f.is_joined * epoch_us(w.time_local), w.rowset, w.time_local) as look
    from written w
    join (
        select capture_id, (looks = 1 and host_id is not null and timed > 0)::int as is_joined,
               if(is_joined = 1, concat(host_id, '/', coalesce(sql_instance, '')), capture_id) as series
        from files
    ) f using (capture_id)
),
figures as (
    select series, look, wait_type, min(capture_id) as capture_id, min(line) as line, max(tasks) as tasks, max(ms) as ms
    from looks where wait_type is not null and tasks is not null and ms is not null
    group by all
),
times as (
    select series, look, min(capture_id) as capture_id, min(time_local) as time_local, min(time) as time, min(line) as line
    from looks group by all
),
falls as (
    select distinct series, look
    from (
        select series, look,
               tasks < lag(tasks) over w or ms < lag(ms) over w as has_fallen
        from figures window w as (partition by series, wait_type order by look)
    )
    where has_fallen
),
eras as (
    select t.*, lag(t.time_local) over (partition by t.series order by t.look) as start_local,
           lag(t.time) over (partition by t.series order by t.look) as start_time,
           count(f.look) over (partition by t.series order by t.look) as era
    from times t left join falls f using (series, look)
),
known as (
    select f.series, e.era, f.wait_type, min(f.look) as first_look
    from figures f join eras e using (series, look)
    group by all
),
-- A known type that a look leaves out had no waits: it keeps its figures.
filled as (
    select e.series, e.look, e.era, e.start_local, e.start_time, e.time_local, e.time, k.wait_type,
           coalesce(f.line, e.line) as line, coalesce(f.capture_id, e.capture_id) as capture_id, k.first_look,
           last_value(f.tasks ignore nulls) over w as tasks, last_value(f.ms ignore nulls) over w as ms
    from eras e
    join known k on k.series = e.series and k.era = e.era and e.look >= k.first_look
    left join figures f on f.series = e.series and f.look = e.look and f.wait_type = k.wait_type
    window w as (partition by e.series, e.era, k.wait_type order by e.look)
),
begins as (
    select series, era, min(look) as first_look from eras group by all
),
deltas as (
    select f.*, f.tasks - coalesce(lag(f.tasks) over w, 0) as waiting_tasks, f.ms - coalesce(lag(f.ms) over w, 0) as wait_ms,
           -- Local times repeat and leave out hours: where UTC is known it tells the length.
           coalesce(epoch(f.time) - epoch(f.start_time), epoch(f.time_local) - epoch(f.start_local)) as seconds
    from filled f
    window w as (partition by f.series, f.era, f.wait_type order by f.look)
)
select d.capture_id, a.content_id, d.line, a.host_id, a.sql_instance, d.time_local, d.time, d.wait_type,
       d.start_local, d.seconds, d.waiting_tasks, d.wait_ms,
       case when d.waiting_tasks > 0 then d.wait_ms / d.waiting_tasks end as mean_wait_ms
from deltas d
join begins b using (series, era)
join captures a using (capture_id)
-- The first look of an era has nothing before it; a clock that was set back measures nothing. Of files with a look each
-- the second may list other types: one that only it has cannot be told from one that was left out.
where d.look > b.first_look and d.seconds > 0 and (d.series = d.capture_id or d.first_look = b.first_look)
-- An output that was collected twice, the second time longer, tells an interval once.
qualify row_number() over (
    partition by coalesce(a.host_id, d.capture_id), a.sql_instance, d.wait_type, d.start_local, d.time_local, d.time
    order by a.path, d.line) = 1
order by d.capture_id, d.look, d.wait_type
