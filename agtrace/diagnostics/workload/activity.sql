-- What did each host do while each test ran?
-- A sample of a rate speaks of the interval before it: it counts when that interval lies within the
-- test (5 % of the interval are forgiven). Sums run over the disks, not over _Total as well.
with tests as (
    select unnest($no) as no, unnest($start_us) as start_us, unnest($end_us) as end_us
),
wanted as (
    select counter_id, content_id, host_id, object, counter, instance
    from counters
    where host_id is not null and list_contains($wanted, object || '\' || counter)
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
)
select t.no, w.host_id, w.object, w.counter, w.instance, avg(s.value) as value, count(*) as n
from samples s
join wanted w using (counter_id)
join steps p on p.content_id = s.content_id
join tests t on epoch_us(s.time) <= t.end_us + 0.05 * p.step_us
            and epoch_us(s.time) - p.step_us >= t.start_us - 0.05 * p.step_us
group by all;
