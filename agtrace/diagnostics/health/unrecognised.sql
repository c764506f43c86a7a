-- Which entries of severity 20 or higher, or about availability groups, does nothing else recognise? No template, no
-- event of the timeline, and no number or text of another rule. Numbers tell of groups in every language; English texts
-- that call themselves informational are context.
-- null: error
-- not null: example.text
with chosen as materialized (
    select host_id, content_id, line, error, coalesce(severity, 0) as severity, time, time_local, text
    from log_entries
    where source = 'ERRORLOG' and coalesce(error not in (select unnest($numbers::integer[])), true)
      and (severity >= $severe
           or (not contains(coalesce(text, ''), 'informational message only')
               and (error between 35200 and 35299 or error between 41000 and 41199 or error between 19400 and 19510
                    or regexp_matches(text, '(?i)availability (group|replica|database)|\balways ?on\b|\bhadr\b'))))
),
-- Few are left by now: to look each entry of a log up takes longer than to search its text.
recognised as (
    select content_id, line from log_messages
    union all
    select w.content_id, w.line from (select unnest(witnesses) as w from timeline)
),
entries as (
    select coalesce(e.host_id, '') as host_id, e.content_id, e.line, e.error, e.severity,
           coalesce(e.time, e.time_local at time zone 'UTC') as moment, e.time is null as is_local, left(e.text, 400) as text
    from chosen e
    anti join recognised r on r.content_id = e.content_id and r.line = e.line
    where not exists (from (select unnest($heads::varchar[]) as head) where starts_with(e.text, head))
),
counted as (
    select host_id, if(severity >= $severe, severity, 0) as severity, error, count(*) as n, min(moment) as first,
           max(moment) as last, bool_or(is_local) as is_local, max(severity) as worst,
           arg_min({'text': text, 'content_id': content_id, 'line': line}, (moment, content_id, line)) as example
    from entries
    group by all
)
select host_id, severity, sum(n)::bigint as n, min(first) as first, max(last) as last, bool_or(is_local) as is_local,
       max(worst) as worst, arg_max(example, (n, -coalesce(error, 0))) as example,
       arg_max(error, (n, -coalesce(error, 0))) as error
from counted
group by host_id, severity
order by host_id, severity desc
