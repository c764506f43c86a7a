-- Which minutes of system_health came late? Each file is written in order: between two samples of one file the
-- instance ran, and was neither started nor stopped.
with samples as (
    select e._content_id as content_id, e._time as time,
           lag(e._time) over (partition by e._content_id order by e._seq) as before
    from events_scheduler_monitor_system_health_ring_buffer_recorded e
    where e._time is not null
)
select o.host_id, o.sql_instance, s.content_id, s.before, s.time, 'system_health' as source,
       date_diff('microsecond', s.before, s.time) / 1e6 - 60 as late_s
from samples s
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o using (content_id)
where o.host_id is not null and s.before is not null
  and (date_diff('microsecond', s.before, s.time) / 1e6 - 60 >= $least_s or date_diff('microsecond', s.before, s.time) < -$step_s * 1e6)
order by late_s desc
limit 1000;
