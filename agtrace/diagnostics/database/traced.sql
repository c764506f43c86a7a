-- What did hadr_trace_message tell of databases that were being reverted: when, and how much was done?
-- The server writes it about every five minutes; what lies further apart than $apart_s is another revert. The text has
-- the database in brackets or quotes, beside other names in brackets: a name that something else knows as a database counts.
-- null: start_local, end_local, percent, slope, slope_error
with known as (
    select distinct "database" from (
        select "database" from database_states union all select "database" from streams
        union all select "database" from timeline union all select name from ag_names where kind = 'database')
    where "database" is not null
),
told as (
    select e.host_id, coalesce(c.path, e.content_id) as path, e.content_id, e.seq, e.time, left(e.text, 400) as text,
           regexp_extract_all(left(e.text, 400), '[\[''"]([^\[\]''"]{1,128})[\]''"]', 1) as names,
           try_cast(regexp_extract(left(e.text, 400), '([0-9]{1,3}(?:[.][0-9]{1,9})?) ?(?:%|percent)', 1) as double) as percent
    from hadr_traces e
    left join (select content_id, min(path) as path from captures group by content_id) c on c.content_id = e.content_id
    where contains(lower(left(e.text, 400)), 'reverting') and e.host_id is not null and e.time is not null
),
databases as (select coalesce(list("database"), []) as all_of_them from known),
named as (
    select t.*, list_filter(t.names, lambda n: list_contains(d.all_of_them, n))[1] as known_name from told t, databases d
),
named_once as (
    select *, coalesce(known_name, list_filter(names, lambda n: upper(n) <> 'HADR')[1]) as "database",
           known_name is not null as is_known
    from named
),
stepped as (
    select *, coalesce(epoch(time) - epoch(lag(time) over w) > $apart_s, true)::int as is_new
    from named_once where "database" is not null
    window w as (partition by host_id, "database" order by time, seq)
),
numbered as (
    select *, sum(is_new) over (partition by host_id, "database" order by time, content_id, seq) as revert from stepped
)
select host_id, "database", min(time) as start, max(time) as "end", null::timestamp as start_local, null::timestamp as end_local,
       count(*) as entries, count(percent) as samples, arg_max(percent, time) filter (percent is not null) as percent,
       arg_max(text, (time, seq)) as text, arg_max(path, (time, seq)) as path, bool_or(is_known) as is_known,
       regr_slope(percent, epoch(time)) as slope,
       sqrt(greatest(regr_syy(percent, epoch(time)) - regr_sxy(percent, epoch(time)) ** 2 / nullif(regr_sxx(percent, epoch(time)), 0), 0)
            / nullif((count(percent) - 2) * regr_sxx(percent, epoch(time)), 0)) as slope_error
from numbered
group by host_id, "database", revert
order by start, host_id, "database";
