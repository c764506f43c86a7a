-- What is each server, as its last start told?
select host_id, key, arg_max(value, time_local) as value, arg_max(c.path, f.time_local) as path
from facts f
left join (select capture_id, path from captures) c using (capture_id)
where topic = 'startup' and host_id is not null
  and key in ('product', 'product_version', 'edition', 'os', 'system_manufacturer', 'system_model', 'sockets',
              'cores', 'logical_processors', 'memory_mb')
group by host_id, key
order by host_id, key;
