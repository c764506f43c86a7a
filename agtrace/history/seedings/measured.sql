-- When did each host back up or restore, by its counters? A sample of a rate speaks of the interval
-- before it; active samples in a row are one span. A blank or a gap of more than two intervals ends it.
with wanted as (
    select counter_id, content_id, host_id, instance
    from counters
    where object = 'SQLServer:Databases' and counter = 'Backup/Restore Throughput/sec'
      and host_id is not null and instance is not null
),
active as (
    select s.host_id, s.instance, s.counter_id, s.time - to_microseconds(coalesce(k.ahead_us, 0)) as time, s.value,
           p.step_us / 1e6 as step_s,
           coalesce(epoch(s.time) - epoch(lag(s.time) over (partition by s.counter_id order by s.time)) > 2.5 * p.step_us / 1e6, true)
               as begins
    from scratch.sampled('wanted') s
    join scratch.log_steps p on p.content_id = s.content_id and p.step_us is not null
    left join reference_clock k on k.host_id = s.host_id
    where s.value > 0 and s.time is not null
),
spans as (
    select *, sum(begins::integer) over (partition by counter_id order by time) as span from active
)
select 'physical' as layer, '' as role, host_id as host, ['perfmon'] as told_by, instance as database,
       min(time) - to_microseconds(cast(1e6 * any_value(step_s) as bigint)) as start, max(time) as "end",
       start as first, "end" as last, 'COMPLETED' as ended, any_value(step_s) as step_s,
       round_even(sum(value * step_s), 0)::bigint as measured_bytes
from spans
group by host_id, instance, counter_id, span
-- More bytes than a number holds were never copied: the counter is not to be believed.
having sum(value * step_s) < 9e18
order by start, host_id, instance;
