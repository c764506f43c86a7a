-- Which version did each instance last start with, and what do all of its starts agree on?
select host_id, sql_instance, arg_max(version, (time_local, line)) as version,
       if(count(distinct version) = 1, any_value(version), null) as only_version,
       if(count(distinct product) = 1, any_value(product), null) as product,
       if(count(distinct level) = 1, any_value(level), null) as level,
       if(count(distinct edition) = 1, any_value(edition), null) as edition,
       if(count(distinct os) = 1, any_value(os), null) as os,
       if(count(distinct logical_processors) = 1, any_value(logical_processors), null) as logical_processors,
       if(count(distinct memory_mb) = 1, any_value(memory_mb), null) as memory_mb
from server_starts
group by host_id, sql_instance
