-- Which rows of perfmon came late? What stopped for longer than its step, and went on in the same log.
with rows_of as (
    select t.content_id, t.time, lag(t.time) over (partition by t.content_id order by t.tick) as before
    from ticks t
    where t.time is not null
),
steps as (
    select content_id, median(date_diff('microsecond', before, time) / 1e6) as step_s
    from rows_of
    where before is not null
    group by content_id
)
select o.host_id, null::varchar as sql_instance, r.content_id, r.before - to_microseconds(coalesce(k.ahead_us, 0)) as before,
       r.time - to_microseconds(coalesce(k.ahead_us, 0)) as time, 'perfmon' as source,
       date_diff('microsecond', r.before, r.time) / 1e6 - s.step_s as late_s, s.step_s as pace_s
from rows_of r
join steps s using (content_id)
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o using (content_id)
left join reference_clock k using (host_id)
where o.host_id is not null and r.before is not null
  and date_diff('microsecond', r.before, r.time) / 1e6 - s.step_s >= greatest($least_s, 2 * s.step_s)
order by late_s desc
limit 1000;
