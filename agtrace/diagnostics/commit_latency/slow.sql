-- Which commits were the slowest, when, where did they spend their time, and what was busy then? By the samples that speak of
-- their moment. Blocks have the clocks of their hosts, samples the reference clock.
with slowest as (
    select b.*, concat_ws(' ', group_database_id, replica_id) as link,
           t_first - to_microseconds(coalesce(p.ahead_us, 0)) as here,
           t_first + to_microseconds((coalesce(skew_ms, 0) * 1000)::bigint - coalesce(r.ahead_us, 0)) as there
    from log_blocks b
    left join reference_clock p on p.host_id = b.primary_host
    left join reference_clock r on r.host_id = b.replica_host
    where commit_ms is not null and commit_mode is distinct from 'asynchronous'
    order by commit_ms desc, log_block_id
    limit 50
),
asked as (
    select s.link, s.log_block_id, s.attempt, w.host, w.what, if(w.host = s.replica_host, s.there, s.here) as at
    from slowest s join (select distinct link, host, what from commit_samples) w on w.link = s.link
),
beside as (
    select a.link, a.log_block_id, a.attempt, a.host, a.what, e.value
    from asked a
    asof join commit_samples e on a.link = e.link and a.host = e.host and a.what = e.what and a.at <= e.time
    where e.time - a.at <= interval 60 seconds
)
select s.here as time, s.database, s.replica, s.bytes, s.commits, s.commit_ms, s.capture_ms, s.compression_ms, s.send_ms,
       s.network_ms, s.remote_ms, s.receive_ms, s.decompression_ms, s.remote_harden_ms, s.acknowledgement_ms, s.local_harden_ms,
       any_value(b.value) filter (b.host = s.primary_host and b.what = 'disk write') as primary_disk_write_ms,
       any_value(b.value) filter (b.host = s.replica_host and b.what = 'disk write') as replica_disk_write_ms,
       any_value(b.value) filter (b.host = s.primary_host and b.what = 'processors') as primary_processors_percent,
       any_value(b.value) filter (b.host = s.replica_host and b.what = 'processors') as replica_processors_percent,
       any_value(b.value) filter (b.host = s.replica_host and b.what = 'recovery queue') as recovery_queue_mb,
       any_value(b.value) filter (b.host = s.primary_host and b.what = 'flow control') as flow_control_percent,
       s.log_block_id
from slowest s left join beside b on b.link = s.link and b.log_block_id = s.log_block_id and b.attempt = s.attempt
group by all
order by s.commit_ms desc, s.log_block_id;
