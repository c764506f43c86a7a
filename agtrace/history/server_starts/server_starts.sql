-- Which starts of instances does an ERRORLOG show, of which version, on which machine?
select f.capture_id, f.content_id, coalesce(min(f.line) filter (f.key = 'product_version'), min(f.line)) as line, f.host_id,
       any_value(c.sql_instance) as sql_instance, min(f.time) as time, min(f.time_local) as time_local,
       max(f.value) filter (f.key = 'product_version') as version, max(f.value) filter (f.key = 'product') as product,
       max(f.value) filter (f.key = 'level') as level, max(f.value) filter (f.key = 'edition') as edition,
       max(f.value) filter (f.key = 'os') as os,
       try_cast(max(f.value) filter (f.key = 'logical_processors') as bigint) as logical_processors,
       try_cast(max(f.value) filter (f.key = 'memory_mb') as bigint) as memory_mb,
       max(f.value) filter (f.key = 'instant_file_initialization') as instant_file_initialization,
       max(f.value) filter (f.key = 'system_model') as machine_model
from facts f
left join captures c using (capture_id)
where f.topic = 'startup'
group by f.capture_id, f.content_id, f.item, f.host_id
