-- Which databases' backups or restores failed, with what words, and did one of the kind succeed later? Which role had
-- the server in its groups at the last failure, where it is one in all of them? Backups that seedings made are theirs.
-- With trace flag 3226 the log shows no success. Another server that wrote the same shared file within a minute is told.
-- null: host_id, database, what, first_time, last_time, last_texts, last_ids, twin, texts, lines, unread, devices, buffer_count, size_kb, total_mb, limit_mb, role, succeeded_local, succeeded
with ended as (
    select operation_id, status, message_ids, host_id, database, operation, kind, "end", end_local, failure_texts, failure_lines,
           unread_file, is_of_seeding, device_names, buffer_count, max_transfer_size_kb, total_mb, memory_limit_mb,
           coalesce(host_id, '') as host_key, coalesce(lower(database), '') as database_key,
           coalesce(operation, '') as operation_key, coalesce(kind, '') as kind_key
    from backups where status in ('failed', 'completed') and end_local is not null
),
failed as (
    from ended
    where status = 'failed' and operation_id not in (select unnest(backup_ids) from seedings)
      and not (is_of_seeding and "end" is not null)  -- a seeding that failed tells it
),
done as (select * from ended where status = 'completed' and database is not null),
devices as (
    select operation_id, status, host_id, "end", lower(unnest(string_split(device_names, '|'))) as device
    from ended where operation = 'backup' and device_names is not null and "end" is not null
),
twins as (
    select f.operation_id, o.host_id as twin, max(f.device) as device
    from devices f
    join devices o on o.device = f.device and o.host_id <> f.host_id and abs(epoch(o."end") - epoch(f."end")) <= 60
    where f.status = 'failed' and (starts_with(f.device, '\\') or contains(f.device, '://') or starts_with(f.device, '/'))
    group by all
),
grouped as (
    select host_key, database_key, operation_key, kind_key, any_value(host_id) as host_id,
           any_value(database) as database,
           nullif(trim(kind_key || ' ' || operation_key), '') as what, count(*) as n,
           min("end") as first_time, max("end") as last_time,
           min(end_local) as first_local, max(end_local) as last_local,
           arg_max(failure_texts, end_local) as last_texts, arg_max(message_ids, end_local) as last_ids,
           arg_max({'unread': unread_file, 'devices': device_names, 'buffer_count': buffer_count, 'size_kb': max_transfer_size_kb,
                    'total_mb': total_mb, 'limit_mb': memory_limit_mb, 'is_of_seeding': is_of_seeding}, end_local) as last_one,
           arg_max(twin, end_local) as twin, count(twin) as twins,
           flatten(list(failure_texts order by end_local desc)) as texts,
           flatten(list(failure_lines order by end_local desc)) as lines
    from failed left join (select operation_id, min(twin) as twin from twins group by operation_id) using (operation_id)
    group by host_key, database_key, operation_key, kind_key
)
select g.* exclude (last_one), unnest(g.last_one),
       (select if(count(distinct r.role) = 1, min(r.role), null) from roles r
        where r.host_id = g.host_id and r.role is not null and r.start_local is null and r.end_local is null
          and g.last_time >= coalesce(r.start, '-infinity'::timestamptz) and g.last_time < coalesce(r."end", 'infinity'::timestamptz)) as role,
       exists (from trace_flags t where t.host_id = g.host_id and t.flag = 3226 and t.is_on
               and (g.last_time is null or coalesce(t."end", 'infinity'::timestamptz) > g.last_time)) as is_hushed,
       d.end_local as succeeded_local, d."end" as succeeded
from grouped g
asof left join done d
  on d.host_key = g.host_key and d.database_key = g.database_key and d.operation_key = g.operation_key
 and d.kind_key = g.kind_key and g.last_local < d.end_local
order by g.n desc, g.host_key, g.database_key, g.kind_key;
