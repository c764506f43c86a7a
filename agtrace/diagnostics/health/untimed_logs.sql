-- When do the ERRORLOGs begin and end whose offset from UTC is unknown, in local time?
-- null: sql_instance
select host_id, min(sql_instance) as sql_instance, min(time_local) as first, max(time_local) as last
from log_entries
where time is null and time_local is not null and host_id is not null
group by content_id, host_id
order by host_id, first
