-- How many ms did tasks wait in each second of each interval, by host and type?
select host_id as host, wait_type as wait, wait_ms / seconds as value
from waits
where host_id is not null and wait_ms is not null and seconds > 0
order by host_id, wait_type, coalesce(epoch_us(time), epoch_us(time_local))
