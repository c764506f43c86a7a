-- What offset from UTC does each host's local time have?
-- Extended Events are in UTC by their format; they say nothing about their host's local time.
select distinct c.host_id, epoch_us(k.local_from) as from_us, epoch_us(k.local_to) as to_us, k.offset_minutes
from clocks k
join captures c using (capture_id)
where c.host_id is not null and c.reader is distinct from 'xel';
