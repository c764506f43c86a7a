-- For how long did each server wait with its send gate closed, by interval between two looks?
select host_id, wait_type, epoch_us(time) / 1e6 as end_s, seconds, waiting_tasks, wait_ms
from waits
where wait_type like 'HADR\_%FLOW\_CONTROL' escape '\' and host_id is not null
order by host_id, wait_type, time_local;
