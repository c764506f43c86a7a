-- What do the small text files say about the network: TCP settings, round trips, bulk copies, handshakes?
-- A record that names the host that it speaks of (netsh -r HOST) counts for that host.
-- One row per record of a file, its keys side by side. product_version decides what bytes count.
-- Most such files hold no time: what lies beside a perfmon log in its folder is taken to be of its time.
with sampled as (
    select regexp_replace(path, '[^/\\]*$', '') as folder,
           min(epoch_us(first_time) / 1e6) as from_s, max(epoch_us(last_time) / 1e6) as to_s
    from captures
    where first_time is not null and content_id in (select content_id from counters)
    group by folder
),
beside as (
    select c.capture_id, s.from_s, s.to_s
    from captures c
    join sampled s on s.folder = regexp_replace(c.path, '[^/\\]*$', '')
)
select host_id, topic, capture_id, item, any_value(from_s) as from_s, any_value(to_s) as to_s,
       any_value(value) filter (key = 'host') as spoken_of,
       any_value(epoch_us(time) / 1e6) as time_s,
       any_value(value) filter (key = 'autotuning_level') as autotuning_level,
       any_value(value) filter (key = 'target_host') as target_host,
       any_value(value) filter (key = 'address') as address,
       any_value(try_cast(value as double)) filter (key = 'rtt_avg_ms') as rtt_avg_ms,
       any_value(value) filter (key = 'source_host') as source_host,
       any_value(value) filter (key = 'destination_host') as destination_host,
       any_value(try_cast(value as double)) filter (key = 'speed_bytes_per_s') as speed_bytes_per_s,
       any_value(value) filter (key = 'client') as client,
       any_value(value) filter (key = 'server') as server,
       any_value(value) filter (key = 'server_port') as server_port,
       any_value(value) filter (key = 'client_scale') as client_scale,
       any_value(value) filter (key = 'server_scale') as server_scale,
       any_value(value) filter (key = 'product_version') as product_version
from facts
left join beside using (capture_id)
where topic in ('tcp_global', 'ping', 'robocopy', 'startup', 'tcp_handshake')
group by host_id, topic, capture_id, item
order by host_id nulls last, topic, capture_id, item;
