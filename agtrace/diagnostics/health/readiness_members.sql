-- In which state did each server last see each node of its cluster?
-- null: line
select host_id, upper(item) as node, arg_max(value, time_local) as state, max(time_local) as time_local,
       arg_max(content_id, time_local) as content_id, arg_max(line, time_local) as line
from cluster_settings
where scope = 'member' and setting = 'member_state' and value is not null and item is not null and host_id is not null
  and time_local is not null
group by host_id, upper(item)
order by host_id, node
