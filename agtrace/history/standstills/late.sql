-- Which samples of the scheduler monitor came late (a minute apart as a rule: the files' own pace counts)? Each file is
-- written in order: between two samples of one file the instance ran, and was neither started nor stopped.
with signs as (
    select o.host_id, o.sql_instance, e._content_id as content_id, k.ahead_us, e._time as time,
           lag(e._time) over (partition by e._content_id order by e._seq) as before
    from events_scheduler_monitor_system_health_ring_buffer_recorded e
    join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
    left join reference_clock k using (host_id)
    where e._time is not null and o.host_id is not null
),
paces as (
    select host_id, greatest(median(date_diff('microsecond', before, time) / 1e6), 60) as pace_s
    from signs
    where before < time
    group by host_id
),
late as (
    select s.host_id, s.sql_instance, s.content_id, s.before - to_microseconds(coalesce(s.ahead_us, 0)) as before,
           s.time - to_microseconds(coalesce(s.ahead_us, 0)) as time, 'system_health' as source,
           date_diff('microsecond', s.before, s.time) / 1e6 - p.pace_s as late_s, p.pace_s
    from signs s
    join paces p using (host_id)
    where s.before is not null
)
select *
from late
where late_s >= $least_s or late_s + pace_s < -$step_s
order by late_s desc
limit 1000;
