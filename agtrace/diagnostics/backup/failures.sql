-- Which databases' backups or restores failed, with what words, and did one of the kind succeed later? Which role had
-- the server in its groups at the last failure, where it is one in all of them?
with ended as (
    select operation_id, status, message_ids, host_id, database, operation, kind, "end", end_local, failure_texts, failure_lines,
           coalesce(host_id, '') as host_key, coalesce(lower(database), '') as database_key,
           coalesce(operation, '') as operation_key, coalesce(kind, '') as kind_key
    from backups where status in ('failed', 'completed') and end_local is not null
),
failed as (select * from ended where status = 'failed'),
done as (select * from ended where status = 'completed' and database is not null),
grouped as (
    select host_key, database_key, operation_key, kind_key, any_value(host_id) as host_id,
           any_value(database) as database,
           nullif(trim(kind_key || ' ' || operation_key), '') as what, count(*) as n,
           min("end") as first_time, max("end") as last_time,
           min(end_local) as first_local, max(end_local) as last_local,
           arg_max(failure_texts, end_local) as last_texts, arg_max(message_ids, end_local) as last_ids,
           flatten(list(failure_texts order by end_local desc)) as texts,
           flatten(list(failure_lines order by end_local desc)) as lines
    from failed
    group by host_key, database_key, operation_key, kind_key
)
select g.*,
       (select if(count(distinct r.role) = 1, min(r.role), null) from roles r
        where r.host_id = g.host_id and r.role is not null and r.start_local is null and r.end_local is null
          and g.last_time >= coalesce(r.start, '-infinity'::timestamptz) and g.last_time < coalesce(r."end", 'infinity'::timestamptz)) as role,
       d.end_local as succeeded_local, d."end" as succeeded
from grouped g
asof left join done d
  on d.host_key = g.host_key and d.database_key = g.database_key and d.operation_key = g.operation_key
 and d.kind_key = g.kind_key and g.last_local < d.end_local
order by g.n desc, g.host_key, g.database_key, g.kind_key;
