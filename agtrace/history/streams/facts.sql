-- What do the small text files say about the network, and which version runs on each server (it decides what bytes count)?
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
),
said as (
    from network_facts
    union all by name
    select capture_id, host_id, time, 'startup' as topic, version as product_version from server_starts
)
select host_id, topic, from_s, to_s, named_host as spoken_of, epoch_us(time) / 1e6 as time_s, autotuning_level, target_host,
       address, round_trip_ms as rtt_avg_ms, source_host, destination_host, bytes_per_s as speed_bytes_per_s, client, server,
       server_port, client_scale, server_scale, product_version
from said
left join beside using (capture_id)
order by host_id nulls last, topic, capture_id, item;
