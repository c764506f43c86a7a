-- What did each look at sys.dm_hadr_physical_seeding_stats show? One row per copy and look.
-- Times become those of the reference clock. Columns ending in _utc are UTC. A sampling time without zone is settled by what the row itself
-- says: start plus bytes over mean rate is the moment of the look, to the quarter hour of its zone.
create or replace table scratch.seeding_polls as
with looks as (
    select capture_id, content_id, any_value(host_id) as host_id, item, any_value(time) as local_look,
           scratch.seeding_guid(any_value(value) filter (key = 'local_physical_seeding_id')) as local_guid,
           scratch.seeding_guid(any_value(value) filter (key = 'remote_physical_seeding_id')) as remote_guid,
           try_cast(any_value(value) filter (key = 'local_database_id') as bigint) as database_id,
           coalesce(any_value(value) filter (key = 'local_database_name'), any_value(value) filter (key = 'database_name')) as database,
           any_value(value) filter (key = 'remote_machine_name') as remote,
           any_value(value) filter (key = 'role_desc') as role_desc,
           any_value(value) filter (key = 'internal_state_desc') as phase,
           try_cast(any_value(value) filter (key = 'transfer_rate_bytes_per_second') as double) as rate,
           try_cast(any_value(value) filter (key = 'transferred_size_bytes') as bigint) as transferred,
           nullif(try_cast(any_value(value) filter (key = 'database_size_bytes') as bigint), 0) as database_bytes,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'start_time_utc') as timestamptz)) as started,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'end_time_utc') as timestamptz)) as ended,
           try_cast(any_value(value) filter (key = 'total_disk_io_wait_time_ms') as bigint) as disk_wait_ms,
           try_cast(any_value(value) filter (key = 'total_network_wait_time_ms') as bigint) as network_wait_ms,
           nullif(try_cast(any_value(value) filter (key = 'failure_code') as bigint), 0) as failure_code,
           any_value(value) filter (key = 'failure_message') as failure_message,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'failure_time_utc') as timestamptz)) as failed,
           try_cast(any_value(value) filter (key = 'is_compression_enabled') as boolean) as is_compression_enabled,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'sampled_utc') as timestamptz)) as look,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'sampled') as timestamp)) as look_written
    from facts where topic = 'dm_hadr_physical_seeding_stats'
    group by capture_id, content_id, item
),
expected as (
    select *, case when rate > 0 and transferred > 0
                   then epoch(look_written) - epoch(started) - transferred / rate end as apart
    from looks
),
zones as (
    select capture_id, mode(round(apart / 900)) * 900 as offset_s
    from expected where abs(apart - round(apart / 900) * 900) <= 60
    group by capture_id
),
timed as (
    select e.* replace (e.started - b.ahead as started, e.ended - b.ahead as ended, e.failed - b.ahead as failed),
           coalesce(look, local_look, (look_written - to_seconds(z.offset_s)) at time zone 'UTC') - b.ahead as look_time
    from expected e
    left join zones z using (capture_id)
    left join reference_clock k using (host_id)
    cross join lateral (select to_microseconds(coalesce(k.ahead_us, 0)) as ahead) b
)
select host_id, 'dm_hadr_physical_seeding_stats' as event,
       coalesce(look_time, ended, failed, case when rate > 0 and transferred / rate between 0 and 1e8 then started + to_microseconds(cast(1e6 * transferred / rate as bigint)) end,
                started) as time,
       look_time is not null as is_timed, content_id as _content_id, item as _seq, database_id, phase, transferred, rate, database_bytes, started, coalesce(ended, failed) as ended,
       disk_wait_ms, network_wait_ms, is_compression_enabled, failure_code, local_guid, remote_guid, database, remote,
       failure_message, case when role_desc ilike 'source%' then 'source' when role_desc is not null then 'target' end as role
from timed
where started is not null or look_time is not null;
