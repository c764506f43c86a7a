-- Which connections did a database of a group refuse for what they intend: by replica and database, how often, when? 976, 983
-- and 988 are left out: they tell of a role that changes, or of a replica that is not readable and need not be.
-- null: line
with written as (
    select source, host_id, content_id, line, error as number, time, time_local, left(text, 400) as text
    from log_entries
    where error in (select unnest($numbers::integer[]))
),
counted as (
    select source, coalesce(host_id, '') as host_id, number, regexp_extract(text, '[''"„“”«»‘’]([^''"„“”«»‘’]{1,128})[''"„“”«»‘’]', 1) as database,
           count(*) as n, min(coalesce(time, time_local at time zone 'UTC')) as first,
           max(coalesce(time, time_local at time zone 'UTC')) as last, bool_or(time is null) as is_local,
           arg_min(text, line) as text, arg_min(content_id, line) as content_id, min(line) as line
    from written
    where coalesce(time, time_local) is not null
    group by all
)
select * from counted
qualify row_number() over (partition by host_id, number, database order by n desc, source) = 1
order by first, host_id, number, database
limit $most
