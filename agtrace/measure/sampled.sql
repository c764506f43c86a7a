-- What did perfmon sample of every host while each window lasted?
-- A sample of a rate speaks of the interval before it: it counts when that interval lies within the
-- window (5 % of the interval are forgiven). A gauge (a queue, a bandwidth) speaks of its instant.
-- What two logs recorded at the same instant counts once; instances of SQL Server are summed.
create or replace table scratch.usage_samples as
with windows as (
    select unnest($number) as number, unnest($start_us) as start_us, unnest($end_us) as end_us
),
kinds as (
    select unnest($resource) as resource, unnest($object) as object, unnest($counter) as counter,
           unnest($factor) as factor, unnest($added) as added, unnest($is_gauge) as is_gauge,
           unnest($rank) as rank
),
wanted as (
    select c.counter_id, c.content_id, c.host_id, c.instance, c.sql_instance, k.*
    from counters c
    join kinds k on c.object = k.object and c.counter = k.counter
    where c.host_id is not null
),
steps as (
    select content_id, median(gap_us) as step_us
    from (
        select content_id, epoch_us(time_local) - epoch_us(lag(time_local) over (
                   partition by content_id order by tick)) as gap_us
        from ticks
        where content_id in (select content_id from wanted)
    )
    where gap_us > 0
    group by content_id
),
sampled as (
    select t.number, w.host_id as host, w.resource, w.rank, coalesce(w.instance, '') as instance,
           w.sql_instance, s.time, avg(greatest(0, s.value * w.factor + w.added)) as value,
           min(p.step_us) as step_us
    from samples s
    join wanted w using (counter_id)
    join steps p on p.content_id = s.content_id
    join windows t on epoch_us(s.time) <= t.end_us + if(w.is_gauge, 0, 0.05 * p.step_us)
                  and epoch_us(s.time) - if(w.is_gauge, 0, p.step_us)
                      >= t.start_us - if(w.is_gauge, 0, 0.05 * p.step_us)
    group by all
)
select number, host, resource, rank, instance, time, sum(value) as value, min(step_us) as step_us
from sampled
group by all;
