-- When did perfmon last sample each instance before its starts? One of its own series tells: it is blank while the
-- process is not there.
insert into scratch.restart_signs
with series as (
    select host_id, sql_instance, content_id, min(counter_id) as counter_id
    from counters
    where object like 'SQLServer:%' and host_id is not null and sql_instance is not null
    group by all
)
select s.start_id, max(v.time) - to_microseconds(coalesce(c.ahead_us, 0)), 'perfmon', v.content_id
from scratch.restart_starts s
join scratch.sampled('series') v on v.host_id = s.host_id and v.sql_instance = s.sql_instance
left join reference_clock c on c.host_id = s.host_id
where v.time - to_microseconds(coalesce(c.ahead_us, 0)) <= s.started and s.start_id in (select start_id from scratch.restart_signs)
group by s.start_id, v.content_id, c.ahead_us;
