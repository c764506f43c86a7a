-- How many statistics had each secondary made for itself at the last look, of which databases and tables?
-- null: time, updated_local
with last as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, "database", max(time_local) as time_local
    from temporary_statistics
    group by all
),
made as (
    select t.*, coalesce(c.path, 'a look') || coalesce(' line ' || t.line, '') as place
    from temporary_statistics t
    join last l on l.host_id = t.host_id and l.sql_instance = coalesce(t.sql_instance, 'MSSQLSERVER')
     and l."database" = t."database" and l.time_local = t.time_local
    left join captures c on c.capture_id = t.capture_id
    -- A database that is read only, or a snapshot, has such statistics, too: only those of secondaries count.
    where exists (
        from readable_roles r
        where r.host_id = t.host_id and r.role = 'SECONDARY'
          and if(r.is_local or t.time is null,
                 t.time_local between coalesce(r.start_local, '-infinity') and coalesce(r.end_local, 'infinity'),
                 t.time between coalesce(r.start, '-infinity') and coalesce(r."end", 'infinity')))
      and (exists (from streams s where s.replica_host_id = t.host_id and s."database" = t."database")
           or exists (from database_states d where d."database" = t."database")
           or exists (from timeline e where e.host_id = t.host_id and e."database" = t."database"))
),
tables as (
    select host_id, "database", coalesce("schema" || '.', '') || object as name, count(*) as n, max(rows) as rows
    from made group by all
)
select m.host_id, m."database", count(*) as n, count(distinct coalesce(m."schema", '') || '.' || m.object) as tables,
       any_value(m.time) as time, any_value(m.time_local) as time_local, max(m.updated_local) as updated_local, min(m.place) as place,
       (select list(t.name order by t.n desc, t.rows desc nulls last, t.name)[:5] from tables t
        where t.host_id = m.host_id and t."database" = m."database") as most
from made m
group by m.host_id, m."database"
order by m.host_id, n desc, m."database"
