-- What did perfmon sample of the hosts while each window lasted?
-- A sample of a rate speaks of the interval before it: it counts when that interval lies within the
-- window (5 % of the interval are forgiven). A gauge (a queue, a bandwidth) speaks of its instant.
-- A window in local time meets the samples whose offset from UTC is not known, and no others.

-- Which rows lie within which windows? Joined by their times alone, which DuckDB does in order of time:
-- with an equality beside them it would try every row with every window.
create or replace table scratch.usage_met as
select t.*, w.number, w.host as only_host, w.is_local as is_local_window
from scratch.usage_ticks t
join scratch.usage_windows w on t.since_us >= w.start_us and t.until_us <= w.end_us
where t.content_id in (select content_id from scratch.usage_wanted);

-- What two logs recorded at the same instant counts once; instances of SQL Server are summed.
create or replace table scratch.usage_samples as
with sampled as (
    select m.number, w.host_id as host, w.resource, w.rank, w.instance, w.sql_instance, m.time,
           avg(greatest(0, w.value * w.factor + w.added)) as value, min(m.step_us) as step_us
    from scratch.sampled('scratch.usage_wanted') w
    join scratch.usage_met m on (m.content_id, m.tick, m.is_gauge) = (w.content_id, w.tick, w.is_gauge)
    where m.is_local = m.is_local_window and (m.only_host is null or m.only_host = w.host_id)
    group by all
)
select number, host, resource, rank, instance, time, sum(value) as value, min(step_us) as step_us
from sampled
group by all;
