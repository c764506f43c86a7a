-- What was observed: one row per moment, host, instance and counter.
-- Instances add up where that is asked for; a quotient needs both sides at the same moment; a change
-- is per second since the row before.
create or replace temp view percentile_observed as
with read as (
    select p.role, p.host, p.sql_instance, p.name,
           case when {total} then '' else p.instance end as instance,
           s.content_id, s.tick, any_value(s.time) as time, any_value(s.time_local) as time_local,
           sum(s.value) as value
    from samples s
    join percentile_series p using (counter_id)
    where {start} and {end}
    group by all
),
divided as (
    select r.* exclude (role, value),
           case when {per} then r.value / nullif(d.value, 0) else r.value end as value
    from read r
    left join read d
      on d.role = 1 and d.content_id = r.content_id and d.tick = r.tick and d.host = r.host
     and d.sql_instance = r.sql_instance and d.instance = r.instance
    where r.role = 0
),
changed as (
    select * exclude (value),
           case when {change} then
               (value - lag(value) over series) / nullif(epoch(time_local - lag(time_local) over series), 0)
           else value end as value
    from divided
    window series as (partition by content_id, host, sql_instance, name, instance order by tick)
)
select host, sql_instance, name, instance, time, time_local, value * {scale} as value
from changed
where value is not null;
