-- For how long did a replica refuse connections because it was neither primary nor secondary (983), how often, of which
-- databases? Entries at most $apart_s apart are one stretch: a change of role takes seconds.
-- null: databases, line
with written as (
    select source, host_id, content_id, line, error as number, time, time_local, left(text, 400) as text
    from log_entries
    where error in (select unnest($numbers::integer[]))
),
timed as (
    select *, coalesce(time, time_local at time zone 'UTC') as moment,
           regexp_extract(text, '[''"„“”«»‘’]([^''"„“”«»‘’]{1,128})[''"„“”«»‘’]', 1) as database
    from written where coalesce(time, time_local) is not null and host_id is not null
),
stepped as (
    select *, coalesce(epoch(moment) - epoch(lag(moment) over w) > $apart_s, true)::int as is_new
    from timed window w as (partition by source, host_id order by moment, line)
),
numbered as (
    select *, sum(is_new) over (partition by source, host_id order by moment, line) as stretch from stepped
),
stretches as materialized (
    select source, host_id, count(*) as n, min(moment) as first, max(moment) as last, bool_or(time is null) as is_local,
           list(distinct database order by database) filter (database <> '') as databases,
           arg_min(text, (moment, line)) as text, arg_min(content_id, (moment, line)) as content_id,
           arg_min(line, (moment, line)) as line
    from numbered group by source, host_id, stretch
)
-- What a session keeps of a log counts once: the source that tells more.
select * from stretches s
where not exists (
    from stretches o where o.host_id = s.host_id and o.source <> s.source and o.first <= s.last and o.last >= s.first
     and (o.n, o.source) > (s.n, s.source))
order by first, host_id
limit $most
