-- What was short in the samples that the cluster took before a lease ran out?
with samples as (
    select content_id, item, min(host_id) as host_id, min(time) as time, min(time_local) as time_local, min(line) as line,
           max(value) filter (key = 'group') as ag,
           max(try_cast(value as double)) filter (key = 'processor_percent') as processor,
           max(try_cast(value as double)) filter (key = 'available_memory_bytes') as memory,
           max(try_cast(value as double)) filter (key = 'disk_read_s') as read_s,
           max(try_cast(value as double)) filter (key = 'disk_write_s') as write_s
    from facts
    where topic = 'lease_sample' and host_id is not null
    group by content_id, item
)
select 'cluster log' as source, 3 as rank, content_id, line, host_id as witness, host_id, time, time_local, null::varchar as ag,
       null::varchar as replica, null::varchar as database, u.kind, null::varchar as before, null::varchar as after,
       u.value, u.unit, u.text
from samples, unnest([
    if(processor >= $busy_percent,
       {'kind': 'processors_busy', 'value': processor, 'unit': '%',
        'text': concat('processors of the machine ', round(processor, 1), ' %')}, null),
    if(memory < $low_memory_bytes,
       {'kind': 'memory_low', 'value': memory, 'unit': 'B',
        'text': concat((memory / 1048576)::bigint, ' MB of memory available')}, null),
    if(greatest(read_s, write_s) >= $slow_disk_s,
       {'kind': 'long_io', 'value': greatest(read_s, write_s) * 1000, 'unit': 'ms',
        'text': concat('mean time of a disk read or write ', round(greatest(read_s, write_s), 3), ' s')}, null)
]) as t(u)
where u is not null;
