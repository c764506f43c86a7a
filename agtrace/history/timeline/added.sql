-- What does a query tell, by the reference clock? Rows of captures are by the clock of their witness ($moved = 1).
insert into scratch.timeline_told by name
select t.* replace (t.time - to_microseconds($moved * coalesce(k.ahead_us, 0)) as time),
       t.time + to_microseconds((1 - $moved) * coalesce(k.ahead_us, 0)) as own_time, k.ahead_us
from (
/* events */
) t
left join reference_clock k on k.host_id = t.witness;
