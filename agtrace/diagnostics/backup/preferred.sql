-- Which backups of databases of groups completed, in which role of their server, and where were they preferred to run?
-- A preference holds from the statement or look that shows it until the next; before the first look, where no statement
-- came between. Seedings read their source as a backup does: those are none.
-- null: host_id, sql_instance, end, first_lsn, last_lsn, content_id, line, role, preference, priority
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
)
select distinct on (r.ag, r.operation_id) r.* exclude (server_key, moment), p.value as preference, try_cast(q.value as integer) as priority,
       coalesce(c.path, r.content_id, '') || coalesce(' line ' || r.line, '') as place
from roled r
asof left join chosen p on p.ag = r.ag and r.moment >= p.since
asof left join ranked q on q.ag = r.ag and q.replica = r.server_key and r.moment >= q.since
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
order by r.ag, r.operation_id;
