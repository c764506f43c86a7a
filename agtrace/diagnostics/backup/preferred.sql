-- Which backups of databases of groups completed, in which role of their server, and where were they preferred to run?
-- A preference holds from the statement or look that shows it until the next; before the first look, where no statement
-- came between. Seedings read their source as a backup does: those are none.
with said as (
    select ag, option, if(option = 'backup_priority', upper(replica), null) as replica, upper(value) as value, time, is_look, option_id
    from group_options
    where ag is not null and ((option = 'automated_backup_preference' and replica is null) or (option = 'backup_priority' and replica is not null))
),
firsts as (
    select ag, option, replica, arg_min(value, (time, option_id)) as value, arg_min(is_look, (time, option_id)) as is_look
    from said where time is not null group by all
),
untimed as (
    select ag, option, replica, min(value) as value from said
    where (ag, option) not in (select (ag, option) from said where time is not null)
    group by all having count(distinct value) = 1
),
taken as (
    select g.ag, b.operation_id, b.host_id, b.sql_instance, b."database", g.database_key, b.kind, b."end", b.first_lsn, b.last_lsn, b.content_id, b.line,
           case when coalesce(b.sql_instance, 'MSSQLSERVER') = 'MSSQLSERVER' then b.host_id else b.host_id || '\' || b.sql_instance end as server
    from backups b
    join scratch.group_databases g on g.database_key = lower(b."database")
    where b.operation = 'backup' and b.status = 'completed' and b.kind in ('full', 'log', 'differential')
      and b.operation_id not in (select unnest(backup_ids) from seedings where backup_ids is not null)
),
held as (
    select ag, host_id, sql_instance, role, coalesce(start, '-infinity'::timestamptz) as start, coalesce("end", 'infinity'::timestamptz) as "end"
    from roles
    where role in ('PRIMARY', 'SECONDARY') and start_local is null and end_local is null
),
roled as (
    select t.*, h.role,
           exists (from held o where o.ag = t.ag and o.role = 'SECONDARY' and o.host_id <> t.host_id and t."end" >= o.start and t."end" < o."end") as has_secondary
    from taken t
    left join held h on h.ag = t.ag and h.host_id = t.host_id and (h.sql_instance is null or t.sql_instance is null or h.sql_instance = t.sql_instance)
               and t."end" >= h.start and t."end" < h."end"
)
select distinct on (r.ag, r.operation_id) r.*,
       coalesce((select arg_max(s.value, (s.time, s.option_id)) from said s
                 where s.ag = r.ag and s.option = 'automated_backup_preference' and s.time <= r."end"),
                (select f.value from firsts f where f.ag = r.ag and f.option = 'automated_backup_preference' and f.is_look),
                (select u.value from untimed u where u.ag = r.ag and u.option = 'automated_backup_preference')) as preference,
       try_cast(coalesce((select arg_max(s.value, (s.time, s.option_id)) from said s
                          where s.ag = r.ag and s.option = 'backup_priority' and s.replica = upper(r.server) and s.time <= r."end"),
                         (select f.value from firsts f where f.ag = r.ag and f.option = 'backup_priority' and f.replica = upper(r.server) and f.is_look),
                         (select u.value from untimed u where u.ag = r.ag and u.option = 'backup_priority' and u.replica = upper(r.server))) as integer) as priority,
       coalesce(c.path, r.content_id) || ' line ' || r.line as place
from roled r
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
order by r.ag, r.operation_id;
