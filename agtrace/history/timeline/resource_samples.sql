-- What was short in the samples that the cluster took before a lease ran out, as SQLDIAG files keep them? Each counts from
-- when it was taken: its own time is UTC or local, by version, so that only what is less than a quarter of an hour is
-- taken from it; what seems to lie more than five minutes before the entry is no time at all.
with cut as (
    select e._content_id as content_id, e._seq as line, o.host_id, e._time as time, null::timestamp as time_local,
           regexp_extract(left(e.data, 400),
                          '^\[hadrag\] ([0-9]{1,2}/[0-9]{1,2}/[0-9]{4} [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})[0-9.]{0,10}, *([0-9.]{1,32}), *([0-9.]{1,32}), *([0-9.]{1,32}), *([0-9.]{1,32})',
                          ['taken', 'processor', 'memory', 'read_s', 'write_s']) as sample
    from events_info_message e
    join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
    where o.host_id is not null and e._time is not null and starts_with(e.data, '[hadrag]')
),
aged as (
    select *, ((epoch_us(time) - epoch_us(try_strptime(sample['taken'], '%m/%d/%Y %H:%M:%S'))) % 900000000
               + 900000000) % 900000000 as age_us
    from cut
    where sample['processor'] <> ''
),
shown as (
    select content_id, line, host_id, time - to_microseconds(if(age_us <= 300000000, age_us, 0)) as time, time_local,
           try_cast(sample['processor'] as double) as processor, try_cast(sample['memory'] as double) as memory,
           try_cast(sample['read_s'] as double) as read_s, try_cast(sample['write_s'] as double) as write_s
    from aged
)
select 'Extended Events' as source, 2 as rank, content_id, line, host_id as witness, host_id, time, time_local, null::varchar as ag,
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
