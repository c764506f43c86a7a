-- Which backups of encrypted databases ran with transfers of 64 KB or less, and how fast were those with larger ones?
-- That a database is encrypted the ERRORLOG says when the option is set, or a snapshot of sys.databases.
-- null: sql_instance, mb_per_s, larger_mb_per_s, first_time, last_time, first_local, last_local, version
with switched as (
    select host_id, lower(fields['database']) as database_key, arg_max(upper(fields['value']), time_local) = 'ON' as is_encrypted,
           arg_max(content_id, time_local) as content_id, arg_max(line, time_local) as line
    from log_messages where topic = 'database_option' and upper(fields['option']) = 'ENCRYPTION' and host_id is not null
    group by all
),
encrypted as (
    select host_id, database_key, content_id, line from switched where is_encrypted
    union all
    select host_id, lower("database"), any_value(content_id), any_value(line) from databases d
    where is_encrypted and not exists (from switched s where s.host_id = d.host_id and s.database_key = lower(d."database"))
    group by all
),
taken as (
    select b.*, coalesce(b.compression, b.sets_of_buffers >= 2) as is_compressed, e.content_id as shown_in, e.line as shown_line
    from backups b
    join encrypted e on e.host_id = b.host_id and e.database_key = lower(b."database")
    where b.operation = 'backup' and b.status = 'completed' and b.max_transfer_size_kb is not null
)
select t.host_id, t.sql_instance, any_value(t."database") as "database", trim(coalesce(t.kind, '') || ' backup') as what,
       count(*) filter (max_transfer_size_kb <= 64) as n, count(*) filter (max_transfer_size_kb > 64) as larger,
       median(mb_per_s) filter (max_transfer_size_kb <= 64) as mb_per_s,
       median(mb_per_s) filter (max_transfer_size_kb > 64) as larger_mb_per_s,
       min(start) filter (max_transfer_size_kb <= 64) as first_time, max("end") filter (max_transfer_size_kb <= 64) as last_time,
       min(start_local) filter (max_transfer_size_kb <= 64) as first_local, max(end_local) filter (max_transfer_size_kb <= 64) as last_local,
       any_value(coalesce(c.path, t.shown_in) || coalesce(' line ' || t.shown_line, '')) as place, any_value(s.version) as version
from taken t
left join (select content_id, min(path) as path from captures group by content_id) c on c.content_id = t.shown_in
left join server_versions s
  on s.host_id is not distinct from t.host_id and s.sql_instance is not distinct from t.sql_instance
where t.is_compressed
group by t.host_id, t.sql_instance, lower(t."database"), t.kind
having count(*) filter (max_transfer_size_kb <= 64) > 0
order by n desc, t.host_id, 3, 4;
