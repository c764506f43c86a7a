-- At which lines of the outputs of sqlcmd does the local time of a look step back or forward by about an hour? With
-- the usual time from look to look beside it. A look is told by many lines; outputs without looks tell nothing.
with looks as (
    select content_id, line, time_local, lag(time_local) over (partition by content_id order by line) as before
    from (select content_id, rowset, min(line) as line, min(time_local) as time_local
          from raw_rowset_rows where time_local is not null group by all)
),
stepped as (
    select *, epoch(time_local) - epoch(before) as seconds from looks where before <> time_local
)
select content_id, line, before as before_local, time_local as after_local, seconds,
       (select median(s.seconds) from stepped s where s.content_id = t.content_id and s.seconds > 0) as usual_s
from stepped t
where seconds between -3600 and -60 or seconds >= 3600
order by content_id, line
