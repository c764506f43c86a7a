-- What did each test of a load generator achieve, and when did it run?
-- One row per test. The same content found twice counts once.
select f.content_id, f.topic, f.item, min(c.path) as path, min(f.host_id) as host_id,
       min(f.line) as line,
       any_value(value) filter (key = 'driver') as driver,
       any_value(try_cast(value as integer)) filter (key in ('virtual_users', 'threads')) as load,
       any_value(try_cast(value as double)) filter (key = 'nopm') as nopm,
       any_value(try_cast(value as double)) filter (key = 'tpm') as tpm,
       any_value(try_cast(value as double)) filter (key = 'elapsed_seconds') as elapsed_s,
       any_value(try_cast(value as double)) filter (key = 'elapsed_resolution_s') as resolution_s,
       any_value(try_cast(value as bigint)) filter (key in ('transactions_per_user', 'iterations')) as work,
       any_value(try_cast(value as bigint)) filter (key = 'warehouses') as warehouses,
       any_value(try_cast(value as double)) filter (key = 'duration_minutes') as duration_minutes,
       any_value(try_cast(value as double)) filter (key = 'rampup_minutes') as rampup_minutes,
       coalesce(any_value(try_cast(value as integer)) filter (key in ('users_failed', 'exceptions')), 0) as failed,
       any_value(value) filter (key = 'test_id') as test_id,
       any_value(try_cast(value as double)) filter (key = 'client_seconds_avg') as client_s,
       any_value(try_cast(value as double)) filter (key = 'logical_reads_avg') as logical_reads,
       any_value(try_cast(value as integer)) filter (key = 'utc_offset_minutes') as offset_minutes,
       any_value(epoch_us(try_cast(value as timestamptz))) filter (key = 'started_utc') as started_us,
       any_value(epoch_us(f.time)) filter (key in ('driver', 'threads')) as time_us,
       any_value(epoch_us(f.time_local)) filter (key in ('driver', 'threads')) as local_us,
       any_value(epoch_us(f.time_local)) filter (key = 'ended') as ended_local_us
from facts f
left join captures c using (capture_id)
where f.topic in ('hammerdb_result', 'sqlquerystress')
group by f.content_id, f.topic, f.item
order by path, f.content_id, f.item;
