-- Which entries tell that an endpoint was not reached, or refused, each minute? By number in every language; a login
-- attempt at the endpoint (28047, 28048) has severity 10, so that its entry has no number: by its English beginning, or
-- by the shape that it has in every language, the state of the handshake in quotation marks before the client's address.
with numbers as (
    select unnest($numbers::integer[]) as number
),
written as (
    select 'ERRORLOG' as source, e.host_id, e.content_id, e.line, e.error as number, e.time, e.time_local, left(e.message, 600) as text
    from errorlog e
    join numbers n on n.number = e.error
    union all
    select 'ERRORLOG', e.host_id, e.content_id, e.line, null, e.time, e.time_local, left(e.message, 600)
    from errorlog e
    where e.error is null
      and (starts_with(e.message, 'Database Mirroring login attempt')
           or (contains(e.message, '[')
               and regexp_matches(left(e.message, 600), '\b(21|22|84|85|89)[.。]?\s?[''"„“”«»‘’]\W{0,3}\s*\[[^\]:]{1,20}:\s?[0-9A-Fa-f.:%]{3,60}\]')))
    /* events */
),
timed as (
    select *, coalesce(time, time_local at time zone 'UTC') as moment from written
)
select source, coalesce(host_id, '') as host_id, number, text, count(*) as n, min(moment) as first, max(moment) as last,
       bool_or(time is null) as is_local, arg_min(content_id, (moment, line)) as content_id, arg_min(line, (moment, line)) as line
from timed
where moment is not null
group by source, coalesce(host_id, ''), number, text, date_trunc('minute', moment)
order by n desc, first, host_id, source, text
limit $most
