-- Which backups of databases of groups completed, in which role of their server, and where were they preferred to run?
-- A preference holds from the statement or look that shows it until the next; before the first look, where no statement
-- came between. Seedings read their source as a backup does: those are none.
-- A row is a run: n backups of one server that follow each other alike. Those of a log go on where the one before ended,
-- and none waits for $log_hours. Years of them are few rows. Where the order of a database's log backups is not plain,
-- each is a run.
-- null: host_id, sql_instance, since, end, first_lsn, last_lsn, role, preference, priority
with said as (
    select ag, option, if(option = 'backup_priority', upper(replica), null) as replica, upper(value) as value, time, is_look, option_id
    from group_options
    where ag is not null and value is not null
      and ((option = 'automated_backup_preference' and replica is null) or (option = 'backup_priority' and replica is not null))
),
kept as (
    select ag, option, replica, time as since, arg_max(value, option_id) as value from said where time is not null group by all
    union all
    select ag, option, replica, '-infinity'::timestamptz, value
    from (select ag, option, replica, arg_min(value, (time, option_id)) as value, arg_min(is_look, (time, option_id)) as is_look
          from said where time is not null group by all)
    where is_look
    union all
    select ag, option, replica, '-infinity'::timestamptz, min(value) from said
    where (ag, option) not in (select (ag, option) from said where time is not null)
    group by all having count(distinct value) = 1
),
spanned as (
    select *, lead(since, 1, 'infinity'::timestamptz) over (partition by ag, option, replica order by since) as until from kept
),
chosen as (
    select * from spanned where replica is null
),
ranked as (
    select * from spanned where replica is not null
),
taken as (
    select g.ag, b.operation_id, b.host_id, b.sql_instance, b."database", g.database_key, b.kind, b."end", b.first_lsn, b.last_lsn, b.content_id, b.line,
           case when coalesce(b.sql_instance, 'MSSQLSERVER') = 'MSSQLSERVER' then coalesce(b.host_id, '') else coalesce(b.host_id, '') || '\' || b.sql_instance end as server
    from backups b
    join group_databases g on g.database_key = lower(b."database")
    where b.operation = 'backup' and b.status = 'completed' and b.kind in ('full', 'log', 'differential')
      and b.operation_id not in (select unnest(backup_ids) from seedings where backup_ids is not null)
),
held as (
    select ag, host_id, sql_instance, role, coalesce(start, '-infinity'::timestamptz) as start, coalesce("end", 'infinity'::timestamptz) as "end"
    from roles
    where role in ('PRIMARY', 'SECONDARY') and start_local is null and end_local is null
),
roled as (
    select t.*, h.role, upper(t.server) as server_key, coalesce(t."end", '-infinity'::timestamptz) as moment,
           exists (from held o where o.ag = t.ag and o.role = 'SECONDARY' and o.host_id <> t.host_id and t."end" >= o.start and t."end" < o."end") as has_secondary
    from taken t
    left join held h on h.ag = t.ag and h.host_id = t.host_id and (h.sql_instance is null or t.sql_instance is null or h.sql_instance = t.sql_instance)
               and t."end" >= h.start and t."end" < h."end"
),
-- Once more by what makes them alike alone, as numbers: there may be hundreds of thousands. Numbers of the log compare by
-- their parts.
alike as (
    select r.ag, r.operation_id, first(r.database_key) as database_key, first(r.kind) as kind, first(r."end") as "end",
           first({'role': r.role, 'has_secondary': r.has_secondary, 'preference': p.value, 'priority': try_cast(q.value as integer)}) as held,
           first(hash(r.host_id, r.sql_instance, r."database", r."end" is null)) as likeness,
           first(if(regexp_full_match(r.first_lsn, '([0-9]{1,10}:){2}[0-9]{1,10}'), string_split(r.first_lsn, ':')::hugeint[], null)) as begins,
           first(if(regexp_full_match(r.last_lsn, '([0-9]{1,10}:){2}[0-9]{1,10}'), string_split(r.last_lsn, ':')::hugeint[], null)) as stops
    from roled r
    left join chosen p on p.ag = r.ag and r.moment >= p.since and r.moment < p.until
    left join ranked q on q.ag = r.ag and q.replica = r.server_key and r.moment >= q.since and r.moment < q.until
    group by r.ag, r.operation_id
),
scaled as (
    select * replace (hash(likeness, held) as likeness, (begins[1] * 10000000000 + begins[2]) * 10000000000 + begins[3] as begins,
                      (stops[1] * 10000000000 + stops[2]) * 10000000000 + stops[3] as stops),
           kind = 'log' and "end" is not null as is_chained
    from alike
),
paced as (
    select *, row_number() over w as number, lag(likeness) over w as before, lead(likeness) over w as behind,
           is_chained and (begins > lag(stops) over w or "end" - lag("end") over w >= to_hours($log_hours)) as is_apart,
           is_chained and (lead(begins) over w > stops or lead("end") over w - "end" >= to_hours($log_hours)) as goes_apart,
           coalesce("end" > lag("end") over w and stops > lag(stops) over w and begins <= stops, row_number() over w = 1) as follows
    from scaled
    window w as (partition by ag, database_key, kind order by "end", operation_id)
),
plain as (
    select ag, database_key, kind from paced where is_chained group by all having bool_and(follows)
),
edges as (
    select *, begins_run and ends_run as is_both
    from (select p.*, before is distinct from likeness or coalesce(is_apart, true) or not is_plain as begins_run,
                 behind is distinct from likeness or coalesce(goes_apart, true) or not is_plain as ends_run
          from (select p.*, not is_chained or l.ag is not null as is_plain
                from paced p left join plain l using (ag, database_key, kind)) p)
    where begins_run or ends_run
),
runs as (
    select *, lead(number, 1, number) over w - number + 1 as n, lead(operation_id, 1, operation_id) over w as last_id
    from edges
    where not is_both
    window w as (partition by ag, database_key, kind order by number)
    union all
    select *, 1, operation_id from edges where is_both
),
paths as (
    select content_id, min(path) as path from captures group by content_id
)
select r.ag, r.database_key, r.kind, r.n, r.last_id as operation_id, f.host_id, f.sql_instance, f."database", f.server,
       f."end" as since, l."end", f.first_lsn, l.last_lsn, r.held.role, r.held.has_secondary, r.held.preference, r.held.priority,
       coalesce(a.path, f.content_id, '') || coalesce(' line ' || f.line, '') as first_place,
       coalesce(z.path, l.content_id, '') || coalesce(' line ' || l.line, '') as place
from (from runs where begins_run) r
join taken f on f.ag = r.ag and f.operation_id = r.operation_id
join taken l on l.ag = r.ag and l.operation_id = r.last_id
left join paths a on a.content_id = f.content_id
left join paths z on z.content_id = l.content_id
order by r.ag, r.last_id;
