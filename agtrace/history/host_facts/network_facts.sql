-- What do small text files say about networks: TCP settings, round trips, bulk copies, handshakes?
-- One row per record of a file.
select capture_id, content_id, min(line) as line, host_id, any_value(time) as time, any_value(time_local) as time_local, topic,
       item::bigint as item, any_value(value) filter (key = 'host') as named_host,
       any_value(value) filter (key = 'autotuning_level') as autotuning_level,
       any_value(value) filter (key = 'target_host') as target_host, any_value(value) filter (key = 'address') as address,
       any_value(try_cast(value as double)) filter (key = 'rtt_avg_ms') as round_trip_ms,
       any_value(value) filter (key = 'source_host') as source_host,
       any_value(value) filter (key = 'destination_host') as destination_host,
       any_value(try_cast(value as double)) filter (key = 'speed_bytes_per_s') as bytes_per_s,
       any_value(value) filter (key = 'client') as client, any_value(value) filter (key = 'server') as server,
       any_value(value) filter (key = 'server_port') as server_port,
       any_value(value) filter (key = 'client_scale') as client_scale,
       any_value(value) filter (key = 'server_scale') as server_scale
from facts
where topic in ('tcp_global', 'ping', 'robocopy', 'tcp_handshake')
group by capture_id, content_id, item, host_id, topic
