-- Which hosts have an ERRORLOG or perfmon, and when did each server start? The log that a start began says so; one that
-- sp_cycle_errorlog began repeats the same lines and says that it was reinitialised.
select distinct 'errorlog' as source, host_id, null::timestamptz as time from messages where host_id is not null
union all
select distinct 'perfmon', host_id, null from counters where host_id is not null
union all
select 'start', host_id, min(time) - to_microseconds(coalesce(any_value(k.ahead_us), 0)) as time
from facts left join reference_clock k using (host_id)
where topic = 'startup' and key = 'utc_adjustment_minutes' and host_id is not null and time is not null
  and content_id not in (select content_id from messages where topic = 'reinitialized')
group by host_id, content_id
order by time;
