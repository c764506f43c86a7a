-- What do results of SERVERPROPERTY and sys.dm_os_sys_info say of each server?
select f.capture_id, f.content_id, min(f.line) as line, f.host_id, any_value(c.sql_instance) as sql_instance, any_value(f.time) as time,
       f.time_local, max(f.value) filter (f.key = 'ProductVersion') as version,
       max(f.value) filter (f.key = 'ProductUpdateLevel') as level, max(f.value) filter (f.key = 'Edition') as edition,
       try_cast(max(f.value) filter (f.key = 'cpu_count') as bigint) as logical_processors
from facts f
left join captures c using (capture_id)
where f.topic = 'server_property' and f.value is not null
group by f.capture_id, f.content_id, f.item, f.host_id, f.time_local
