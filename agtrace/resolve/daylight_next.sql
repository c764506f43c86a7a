-- Which logs end, by the offset that they state, after the next log of their server begins by its own, which is an
-- hour more? Two logs do not overlap: the change lies inside the first one, and its last line is off.
with logs as (
    select o.content_id, o.host_id, any_value(c.sql_instance) as sql_instance, any_value(c.first_time) as first_time,
           any_value(c.last_time) as last_time, min(k.offset_minutes) as offset_minutes
    from contents o
    join captures c on c.capture_id = o.capture_id
    join clocks k on k.capture_id = o.capture_id
    where c.first_entry is not null and o.host_id is not null and c.last_time is not null
    group by o.content_id, o.host_id
    having count(*) = 1
),
over as (
    select distinct a.content_id
    from logs a
    join logs b
      on b.host_id = a.host_id and b.sql_instance is not distinct from a.sql_instance
     and b.offset_minutes = a.offset_minutes + 60
     and b.first_time > a.first_time and b.first_time < a.last_time and b.first_time >= a.last_time - interval 1 hour
)
select e.content_id, max(e.line) as line
from raw_errorlog e
semi join over using (content_id)
group by e.content_id
order by e.content_id;
