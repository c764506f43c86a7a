-- Where does a log's local time step, between two entries, by enough for a change of daylight saving? Back by up to
-- an hour, or forward by more than one.
with stepped as (
    select content_id, line, time_local, lag(time_local) over (partition by content_id order by line) as before
    from raw_errorlog
    where content_id in (select unnest($logs::varchar[]))
)
select content_id, line, before as before_local, time_local as after_local,
       date_diff('second', before, time_local) as seconds
from stepped
where date_diff('second', before, time_local) not between -300 and 3599
order by content_id, line;
