-- What was short in the samples that the cluster took before a lease ran out, as its log has them? Each counts from
-- when it was taken: its own time is UTC or local, by version, so that only what is less than a quarter of an hour is
-- taken from it; what seems to lie more than five minutes before the entry is no time at all.
with logged as (
    select f.content_id, f.item, min(l.line) as line, min(l.host_id) as host_id, min(l.time) as time,
           min(l.time_local) as time_local, min(f.time_local) as taken,
           max(try_cast(f.value as double)) filter (f.key = 'processor_percent') as processor,
           max(try_cast(f.value as double)) filter (f.key = 'available_memory_bytes') as memory,
           max(try_cast(f.value as double)) filter (f.key = 'disk_read_s') as read_s,
           max(try_cast(f.value as double)) filter (f.key = 'disk_write_s') as write_s
    from facts f
    join cluster_log l on l.content_id = f.content_id and l.line = f.line
    where f.topic = 'lease_sample' and l.host_id is not null
    group by f.content_id, f.item
),
aged as (
    select *, ((epoch_us(time_local) - epoch_us(taken)) % 900000000 + 900000000) % 900000000 as age_us
    from logged
),
shown as (
    select * replace (time - to_microseconds(if(age_us <= 300000000, age_us, 0)) as time,
                      time_local - to_microseconds(if(age_us <= 300000000, age_us, 0)) as time_local)
    from aged
)
select 'cluster log' as source, 3 as rank, content_id, line, host_id as witness, host_id, time, time_local, null::varchar as ag,
       null::varchar as replica, null::varchar as database, u.kind, null::varchar as before, null::varchar as after,
       u.value, u.unit, u.text
from shown, unnest([
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
