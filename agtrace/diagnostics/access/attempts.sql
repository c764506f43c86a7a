-- Which entries tell that an endpoint was not reached, or refused, each minute? By number in every language; a login
-- attempt at the endpoint (28047, 28048) has severity 10, so that its entry has no number: by its English beginning, or
-- by the shape that it has in every language, the state of the handshake in quotation marks before the client's address.
-- null: number, line
with written as (
    select source, host_id, content_id, line, error as number, time, time_local, left(text, 600) as text
    from log_entries
    where error in (select unnest($numbers::integer[]))
       or (error is null and source = 'ERRORLOG'
           and (starts_with(text, 'Database Mirroring login attempt')
                or (contains(text, '[')
                    and regexp_matches(left(text, 600), '\b(21|22|84|85|89)[.。]?\s?[''"„“”«»‘’]\W{0,3}\s*\[[^\]:]{1,20}:\s?[0-9A-Fa-f.:%]{3,60}\]'))))
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
