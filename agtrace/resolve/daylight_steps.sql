-- Where does a log's local time step, between two entries, by enough for a change of daylight saving? Back by up to
-- an hour, or forward by more than one; behind the lines whose offset is known.
with asked as (
    select unnest($logs::varchar[]) as content_id, unnest($lines::bigint[]) as since
),
stepped as (
    select e.content_id, e.line, e.time_local, lag(e.time_local) over (partition by e.content_id order by e.line) as before
    from raw_errorlog e
    join asked a on a.content_id = e.content_id and e.line >= a.since
)
select content_id, line, before as before_local, time_local as after_local,
       date_diff('second', before, time_local) as seconds
from stepped
where date_diff('second', before, time_local) not between -300 and 3599
order by content_id, line;
