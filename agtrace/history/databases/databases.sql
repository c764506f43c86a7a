-- Which databases does a look at a server list, how many virtual log files does each have, which
-- recovery model, how full is its log, and what keeps it from being reused? Two rowsets of one output tell it; log files are counted status by status.
with rows as (
    select r.capture_id, r.rowset, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.kind,
           scratch.whole(k.names, r.cells, 'database_id') as database_id,
           coalesce(scratch.cell(k.names, r.cells, 'database_name'), scratch.cell(k.names, r.cells, 'database name'),
                    scratch.cell(k.names, r.cells, 'name')) as database,
           scratch.whole(k.names, r.cells, 'vlf_count') as vlf_count,
           scratch.cell(k.names, r.cells, 'recovery_model_desc') as recovery_model,
           upper(nullif(trim(scratch.cell(k.names, r.cells, 'log_reuse_wait_desc')), '')) as log_reuse_wait,
           scratch.truth(k.names, r.cells, 'is_encrypted') as is_encrypted,
           coalesce(try_cast(scratch.cell(k.names, r.cells, 'total_log_size_in_bytes') as double),
                    1048576 * try_cast(replace(coalesce(scratch.cell(k.names, r.cells, 'log size (mb)'), scratch.cell(k.names, r.cells, 'total_log_size_mb')), ',', '.') as double)) as log_bytes,
           coalesce(try_cast(replace(coalesce(scratch.cell(k.names, r.cells, 'log space used (%)'), scratch.cell(k.names, r.cells, 'used_log_space_in_percent')), ',', '.') as double),
                    100 * try_cast(scratch.cell(k.names, r.cells, 'used_log_space_in_bytes') as double)
                        / nullif(try_cast(scratch.cell(k.names, r.cells, 'total_log_size_in_bytes') as double), 0)) as log_used_percent
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind in ('vlfs', 'databases', 'log_space')
),
told as (
    select * replace (sum(vlf_count) over (partition by capture_id, rowset, database_id, lower(database))::bigint as vlf_count),
           coalesce(database_id::varchar, lower(database)) as database_key
    from rows
)
select capture_id, any_value(content_id) as content_id, min(line) as line, any_value(host_id) as host_id,
       any_value(sql_instance) as sql_instance, min(time_local) as time_local, min(time) as time,
       arg_min(database, line) as database, any_value(database_id) as database_id, arg_min(vlf_count, line) as vlf_count,
       arg_min(recovery_model, line) as recovery_model, arg_min(log_reuse_wait, line) as log_reuse_wait,
       arg_min(log_used_percent, line) as log_used_percent, arg_min(log_bytes, line) as log_bytes,
       bool_or(is_encrypted) as is_encrypted
from told
where database_key is not null
group by capture_id, database_key
order by capture_id, database_id, database
