-- Of which stretch does each row of a log speak, for rates and for gauges? By the reference clock where UTC is known.
create or replace table scratch.usage_ticks as
with timed as (
    select t.content_id, t.tick, coalesce(t.time - to_microseconds(coalesce(k.ahead_us, 0)), t.time_local) as time,
           t.time is null as is_local, epoch_us(coalesce(t.time, t.time_local)) - if(t.time is null, 0, coalesce(k.ahead_us, 0)) as moment_us
    from ticks t
    join contents c using (content_id)
    left join reference_clock k on k.host_id = c.host_id
)
select t.content_id, t.tick, t.time, t.is_local, p.step_us, g.is_gauge,
       t.moment_us - if(g.is_gauge, 0, 0.95 * p.step_us) as since_us,
       t.moment_us - if(g.is_gauge, 0, 0.05 * p.step_us) as until_us
from timed t
join scratch.log_steps p on p.content_id = t.content_id and p.step_us is not null
cross join (values (false), (true)) g(is_gauge);
