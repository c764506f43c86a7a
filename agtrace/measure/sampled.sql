-- What did perfmon sample of the hosts while each window lasted?
-- A sample of a rate speaks of the interval before it: it counts when that interval lies within the
-- window (5 % of the interval are forgiven). A gauge (a queue, a bandwidth) speaks of its instant.
-- A window in local time meets the samples whose offset from UTC is not known, and no others.

-- Of which stretch does each row of a log speak, for rates and for gauges?
create or replace table scratch.usage_ticks as
with timed as (
    select content_id, tick, coalesce(time, time_local) as time, time is null as is_local,
           epoch_us(coalesce(time, time_local)) as moment_us,
           epoch_us(time_local) - epoch_us(lag(time_local) over (
               partition by content_id order by tick)) as gap_us
    from ticks
    where content_id in (select content_id from scratch.usage_wanted)
),
steps as (
    select content_id, median(gap_us) as step_us from timed where gap_us > 0 group by content_id
)
select t.content_id, t.tick, t.time, t.is_local, p.step_us, g.is_gauge,
       t.moment_us - if(g.is_gauge, 0, 0.95 * p.step_us) as since_us,
       t.moment_us - if(g.is_gauge, 0, 0.05 * p.step_us) as until_us
from timed t
join steps p using (content_id)
cross join (values (false), (true)) g(is_gauge);

-- Which rows lie within which windows? Joined by their times alone, which DuckDB does in order of time:
-- with an equality beside them it would try every row with every window.
create or replace table scratch.usage_met as
select t.*, w.number, w.host as only_host, w.is_local as is_local_window
from scratch.usage_ticks t
join scratch.usage_windows w on t.since_us >= w.start_us and t.until_us <= w.end_us;

-- What two logs recorded at the same instant counts once; instances of SQL Server are summed.
create or replace table scratch.usage_samples as
with sampled as (
    select m.number, w.host_id as host, w.resource, w.rank, w.instance, w.sql_instance, m.time,
           avg(greatest(0, s.value * w.factor + w.added)) as value, min(m.step_us) as step_us
    from samples s
    join scratch.usage_wanted w using (counter_id)
    join scratch.usage_met m on (m.content_id, m.tick, m.is_gauge) = (s.content_id, s.tick, w.is_gauge)
    where m.is_local = m.is_local_window and (m.only_host is null or m.only_host = w.host_id)
    group by all
)
select number, host, resource, rank, instance, time, sum(value) as value, min(step_us) as step_us
from sampled
group by all;
