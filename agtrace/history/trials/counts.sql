-- What did the transaction counter read, session by session? The same content counts once.
with chosen as (
    select content_id, min(capture_id) as capture_id
    from facts
    where topic = 'hammerdb_count'
    group by content_id
)
select f.content_id, f.item, min(f.host_id) as host_id,
       list(try_cast(value as double) order by f.line, f.time_local) filter (key = 'tpm') as readings,
       list(epoch_us(f.time_local) order by f.line, f.time_local) filter (key = 'tpm') as local_us,
       list(epoch_us(f.time) order by f.line, f.time_local) filter (key = 'tpm') as time_us,
       any_value(try_cast(value as integer)) filter (key = 'utc_offset_minutes') as offset_minutes
from facts f
join chosen using (content_id, capture_id)
where f.topic = 'hammerdb_count'
group by f.content_id, f.item
order by f.content_id, f.item;
