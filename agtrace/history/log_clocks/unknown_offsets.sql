-- Which perfmon logs and ERRORLOGs have rows that stand in local time only?
with stamped as (
    select 'perfmon' as source, content_id, time_local, time from ticks
    union all
    select 'ERRORLOG', content_id, time_local, time from errorlog
)
select s.source, c.host_id, s.content_id, count(*) as rows, count(*) filter (s.time is null) as unknown,
       min(s.time_local) filter (s.time is null) as first_local, max(s.time_local) filter (s.time is null) as last_local
from stamped s
join (select content_id, min(host_id) as host_id from captures group by content_id) c using (content_id)
group by all
having unknown > 0
order by all
