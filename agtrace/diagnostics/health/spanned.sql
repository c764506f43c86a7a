-- Which I/O requests span a time in which their host's log has no entry? SQL Server repeats message 833 every five minutes
-- while a request is pending: over a gap of ten minutes and more, the machine was suspended.
-- null: time, file, since
with requests as (
    select m.content_id, m.line, m.host_id, m.time, m.time_local, try_cast(m.fields['duration_ms'] as double) as ms,
           m.fields['file'] as file
    from log_messages m
    where m.topic = 'long_io' and m.host_id is not null and try_cast(m.fields['duration_ms'] as double) >= 600000
),
before as (
    select r.*, arg_max({'time': e.time, 'time_local': e.time_local, 'content_id': e.content_id, 'line': e.line}, e.time_local) as last
    from requests r
    join log_entries e on e.source = 'ERRORLOG' and e.host_id = r.host_id and e.time_local < r.time_local - interval 1 minute
    group by all
)
select * exclude (last), last.time as since, last.time_local as since_local, last.content_id as since_content_id,
       last.line as since_line, epoch(time_local) - epoch(last.time_local) as seconds
from before
where epoch(time_local) - epoch(last.time_local) between ms / 1000 - 120 and ms / 1000 + 3600
qualify row_number() over (partition by host_id, last.time_local order by ms desc, time_local) = 1
order by host_id, time_local
