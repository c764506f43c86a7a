-- When did each server start? The log that a start began says so; one that sp_cycle_errorlog began
-- repeats the same lines and says that it was reinitialised.
select host_id, min(time) as time
from facts
where topic = 'startup' and key = 'utc_adjustment_minutes' and host_id is not null and time is not null
  and content_id not in (select content_id from messages where topic = 'reinitialized')
group by host_id, content_id
order by time;
