-- Which version did each instance last start with?
-- null: line
select host_id as host, arg_max(version, (time_local, line)) as version, arg_max(content_id, (time_local, line)) as content_id,
       arg_max(line, (time_local, line)) as line
from server_starts
where version is not null and host_id is not null
group by host_id
order by host_id
