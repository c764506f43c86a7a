-- Where does a row of a perfmon log, or an entry of an ERRORLOG, have an earlier time than the one written before it?
-- An hour back in local time is the end of daylight saving. Entries of sessions that write at the same moment are some
-- milliseconds out of order, and an ERRORLOG that was sorted steps back all the time.
with logs as (
    select content_id, min(host_id) as host_id, bool_or(reader = 'errorlog') as is_errorlog
    from captures where superseded_by is null group by content_id
),
sampled as (
    select content_id, tick as line, lag(time) over w as before, lag(time_local) over w as before_local,
           time as after, time_local as after_local,
           epoch(coalesce(lag(time) over w, lag(time_local) over w at time zone 'UTC'))
           - epoch(coalesce(time, time_local at time zone 'UTC')) as back_s
    from ticks
    window w as (partition by content_id order by tick)
),
logged as (
    select content_id, line, lag(time) over w as before, lag(time_local) over w as before_local, time as after,
           time_local as after_local, epoch(lag(time_local) over w) - epoch(time_local) as back_s,
           count(*) over (partition by content_id) as entries
    from errorlog
    where time_local is not null and content_id in (select content_id from logs where is_errorlog)
    window w as (partition by content_id order by line)
),
stepped as (
    select *, count(*) over (partition by content_id) as steps
    from logged where back_s >= 60 and not back_s between 3000 and 3660
)
select 'perfmon' as source, l.host_id, s.content_id, s.line, s.before, s.before_local, s.after, s.after_local, s.back_s
from sampled s join logs l using (content_id)
where s.back_s > 0 and not (s.after is null and s.back_s between 3000 and 3600)
union all
select 'ERRORLOG', l.host_id, s.content_id, s.line, s.before, s.before_local, s.after, s.after_local, s.back_s
from stepped s join logs l using (content_id)
where s.steps <= greatest(1, s.entries // 10)
order by all
