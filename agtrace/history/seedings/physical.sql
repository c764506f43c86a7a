-- Which copies did the events and the DMV of physical seeding see, and what did each report?
-- A copy of one host is told by its local guid; without one by database, role and start. Times are by the reference clock.
create or replace table scratch.seeding_reports as
with hosts_of as (
    select content_id, arg_min(host_id, path) as host_id, max(last_time) as last_time
    from captures where content_id is not null group by content_id
),
by_reference as (
    select h.content_id, h.host_id, to_microseconds(coalesce(k.ahead_us, 0)) as ahead, h.last_time - ahead as last_time
    from hosts_of h left join reference_clock k using (host_id)
),
clean as (
    select h.host_id, h.last_time, e.event, e._time - h.ahead as time, true as is_timed, e._content_id, e._seq, e.database_id, e.retry_count,
           nullif(trim(e.old_state), '') as old_state,
           coalesce(nullif(trim(e.new_state), ''), nullif(trim(e.internal_state_desc), '')) as phase,
           e.transferred_size_bytes as transferred, e.transfer_rate_bytes_per_second as rate,
           nullif(e.database_size_bytes, 0) as database_bytes,
           -- FILETIME: 100 ns since 1601, 0 where there is none yet.
           case when e.seeding_start_time between 122756256000000000 and 189025920000000000
                then make_timestamptz(((e.seeding_start_time - 116444736000000000) // 10)::bigint) end - h.ahead as started,
           case when e.seeding_end_time between 122756256000000000 and 189025920000000000
                then make_timestamptz(((e.seeding_end_time - 116444736000000000) // 10)::bigint) end - h.ahead as ended,
           e.total_disk_io_wait_time_ms as disk_wait_ms, e.total_network_wait_time_ms as network_wait_ms,
           e.is_compression_enabled, nullif(e.failure_code, 0) as failure_code,
           scratch.seeding_guid(e.local_seeding_guid) as local_guid,
           scratch.seeding_guid(e.remote_seeding_guid) as remote_guid,
           nullif(e.database_name, '') as database, nullif(trim(e.remote_machine_name), '') as remote,
           nullif(trim(e.failure_message), '') as failure_message,
           case when e.role_desc ilike 'source%' or e.event = 'backup_state_change' then 'source'
                when nullif(trim(e.role_desc), '') is not null
                     or e.event in ('restore_state_change', 'forwarder_state_change', 'forwarder_target_state_change')
                then 'target' end as role
    from scratch.seeding_physical e left join by_reference h on h.content_id = e._content_id
    where scratch.seeding_time(e._time) is not null
    union all by name
    from scratch.seeding_polls
)
select *, coalesce(local_guid, lower(database) || ' ' || role || ' ' || coalesce(host_id, '') || ' '
                               || coalesce(epoch_us(started)::varchar, '')) as copy
from clean
qualify row_number() over (
    partition by host_id, event, time, old_state, phase, transferred, disk_wait_ms, network_wait_ms, local_guid,
                 database, failure_code, failure_message, retry_count
    order by _content_id, _seq) = 1;

create or replace table scratch.seeding_copies as
-- A host whose events go on while those of one copy do not has lost that copy: the session that had its last report
-- has to be the one that goes on.
select row_number() over (order by min(time), copy) - 1 as number, copy, max(r.host_id) as host, max(role) as role,
       max(local_guid) as local_guid, arg_max(remote_guid, time) as remote_guid, arg_max(database, time) as database,
       arg_max(remote, time) as remote, min(time) as first, max(time) as last,
       bool_or(event <> 'dm_hadr_physical_seeding_stats') as is_traced,
       bool_or(event = 'dm_hadr_physical_seeding_stats') as is_exported,
       bool_or(old_state in ('Inital', 'Initial')) as has_beginning,
       arg_max(started, time) as started, arg_max(ended, time) as ended,
       max(transferred) as transferred_bytes, arg_max(database_bytes, time) as database_bytes,
       max(disk_wait_ms) as disk_wait_ms, max(network_wait_ms) as network_wait_ms,
       arg_max(is_compression_enabled, time) as is_compression_enabled, max(retry_count) as retries,
       arg_max(coalesce(last_time, time), (time, coalesce(last_time, time)))
           filter (host_id is not null and event <> 'dm_hadr_physical_seeding_stats') as others_until
from scratch.seeding_reports r
where copy is not null
group by copy
having max(role) is not null;

create or replace table scratch.seeding_copy_progress as
-- The same report by two sessions counts once.
select c.number, r.time, r.transferred as transferred_bytes, coalesce(r.database_bytes, c.database_bytes) as database_bytes,
       r.rate as bytes_per_s, r.disk_wait_ms, r.network_wait_ms, r._content_id, r._seq
from scratch.seeding_reports r join scratch.seeding_copies c using (copy)
where r.transferred is not null and r.is_timed
window w as (partition by c.number order by r.time, r._content_id, r._seq)
qualify not coalesce(
    r.time <= lag(r.time) over w + interval 1 second
    and (r.transferred, r.disk_wait_ms, r.network_wait_ms) is not distinct from
        (lag(r.transferred) over w, lag(r.disk_wait_ms) over w, lag(r.network_wait_ms) over w), false);
