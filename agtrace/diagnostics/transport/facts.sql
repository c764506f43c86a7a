-- What do the small text files say about the network: TCP settings, round trips, bulk copies?
-- A record that names the host that it speaks of (netsh -r HOST) counts for that host.
-- One row per record of a file, its keys side by side. product_version decides what bytes count.
select host_id, topic, capture_id, item,
       any_value(value) filter (key = 'host') as spoken_of,
       any_value(epoch_us(time) / 1e6) as time_s,
       any_value(value) filter (key = 'autotuning_level') as autotuning_level,
       any_value(value) filter (key = 'target_host') as target_host,
       any_value(try_cast(value as double)) filter (key = 'rtt_avg_ms') as rtt_avg_ms,
       any_value(value) filter (key = 'source_host') as source_host,
       any_value(value) filter (key = 'destination_host') as destination_host,
       any_value(try_cast(value as double)) filter (key = 'speed_bytes_per_s') as speed_bytes_per_s,
       any_value(value) filter (key = 'product_version') as product_version
from facts
where topic in ('tcp_global', 'ping', 'robocopy', 'startup')
group by host_id, topic, capture_id, item
order by host_id nulls last, topic, capture_id, item;
