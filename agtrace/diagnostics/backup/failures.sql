-- Which databases' backups or restores failed, with what words, and did one of the kind succeed later?
with ended as (
    select operation_id, status, host_id, database, operation, kind, places, "end", end_local,
           coalesce(host_id, '') as host_key, coalesce(lower(database), '') as database_key,
           coalesce(operation, '') as operation_key, coalesce(kind, '') as kind_key
    from backup_operations where status in ('failed', 'completed') and end_local is not null
),
failed as (select * from ended where status = 'failed'),
done as (select * from ended where status = 'completed' and database is not null),
spoken as (
    select f.operation_id, place.seq as seq, b.content_id, place.seq % 1000000000000 as line
    from (select operation_id, unnest(places) as seq from failed) place
    join failed f using (operation_id)
    join backup_files b on b.file = place.seq // 1000000000000
),
words as (
    select s.operation_id, list(e.message order by s.seq) as texts, list(s.line order by s.seq) as lines
    from spoken s
    join (select content_id, line, message from errorlog where content_id in (select content_id from spoken)) e
      using (content_id, line)
    group by s.operation_id
),
grouped as (
    select host_key, database_key, operation_key, kind_key, any_value(host_id) as host_id,
           any_value(database) as database,
           nullif(trim(kind_key || ' ' || operation_key), '') as what, count(*) as n,
           min("end") as first_time, max("end") as last_time,
           min(end_local) as first_local, max(end_local) as last_local,
           flatten(list(w.texts order by end_local desc)) as texts,
           flatten(list(w.lines order by end_local desc)) as lines
    from failed left join words w using (operation_id)
    group by host_key, database_key, operation_key, kind_key
)
select g.*, d.end_local as succeeded_local, d."end" as succeeded
from grouped g
asof left join done d
  on d.host_key = g.host_key and d.database_key = g.database_key and d.operation_key = g.operation_key
 and d.kind_key = g.kind_key and g.last_local < d.end_local
order by g.n desc, g.host_key, g.database_key, g.kind_key;
