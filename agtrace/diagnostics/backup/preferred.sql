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
chosen as (
    select * from kept where replica is null
),
ranked as (
    select * from kept where replica is not null
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
judged as (
    select distinct on (r.ag, r.operation_id) r.* exclude (server_key, moment), p.value as preference, try_cast(q.value as integer) as priority,
           -- Numbers of the log compare by their parts.
           if(regexp_full_match(r.first_lsn, '([0-9]{1,10}:){2}[0-9]{1,10}'), string_split(r.first_lsn, ':')::bigint[], null) as begins,
           if(regexp_full_match(r.last_lsn, '([0-9]{1,10}:){2}[0-9]{1,10}'), string_split(r.last_lsn, ':')::bigint[], null) as stops
    from roled r
    asof left join chosen p on p.ag = r.ag and r.moment >= p.since
    asof left join ranked q on q.ag = r.ag and q.replica = r.server_key and r.moment >= q.since
    order by r.ag, r.operation_id
),
alike as (
    select *, hash(host_id, sql_instance, "database", server, role, preference, priority, has_secondary, "end" is null) as likeness
    from judged
),
paced as (
    select *, lag(likeness) over w is distinct from likeness as differs,
           kind = 'log' and "end" is not null
               and (begins > lag(stops) over w or "end" - lag("end") over w >= to_hours($log_hours)) as is_apart,
           row_number() over w = 1 or coalesce("end" > lag("end") over w and stops > lag(stops) over w and begins <= stops, false) as follows
    from alike
    window w as (partition by ag, database_key, kind order by "end", operation_id)
),
plain as (
    select *, kind <> 'log' or "end" is null or bool_and(follows) over (partition by ag, database_key, kind) as is_plain
    from paced
),
numbered as (
    select *, count(if(differs or coalesce(is_apart, true) or not is_plain, 1, null))
                  over (partition by ag, database_key, kind order by "end", operation_id rows unbounded preceding) as run
    from plain
),
runs as (
    select ag, database_key, kind, count(*) as n, max(operation_id) as operation_id, any_value(host_id) as host_id,
           any_value(sql_instance) as sql_instance, any_value("database") as "database", any_value(server) as server,
           min("end") as since, max("end") as "end", arg_min(first_lsn, ("end", operation_id)) as first_lsn,
           arg_max(last_lsn, ("end", operation_id)) as last_lsn, any_value(role) as role,
           any_value(has_secondary) as has_secondary, any_value(preference) as preference, any_value(priority) as priority,
           arg_min({'content_id': content_id, 'line': line}, ("end", operation_id)) as first_at,
           arg_max({'content_id': content_id, 'line': line}, ("end", operation_id)) as last_at
    from numbered
    group by ag, database_key, kind, run
),
paths as (
    select content_id, min(path) as path from captures group by content_id
)
select r.* exclude (first_at, last_at),
       coalesce(f.path, r.first_at.content_id, '') || coalesce(' line ' || r.first_at.line, '') as first_place,
       coalesce(l.path, r.last_at.content_id, '') || coalesce(' line ' || r.last_at.line, '') as place
from runs r
left join paths f on f.content_id = r.first_at.content_id
left join paths l on l.content_id = r.last_at.content_id
order by r.ag, r.operation_id;
