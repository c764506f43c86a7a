-- When was each instance away, from its last sign of life until clients could connect again?
select host_id, coalesce(asked, last_sign, started) as gone, ready
from restarts
where host_id is not null and coalesce(asked, last_sign, started) is not null and ready is not null
order by gone, host_id
