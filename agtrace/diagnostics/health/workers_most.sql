-- How many worker threads may each instance have, as sp_server_diagnostics last showed, and how many had it at most?
-- null: created, waiting, content_id
select host_id, coalesce(sql_instance, '') as sql_instance, arg_max(max_workers, time) as most, max(workers_created) as created,
       max(pending_tasks) as waiting, arg_max(content_id, time) as content_id
from component_health
where max_workers > 0 and host_id is not null and time is not null
group by host_id, coalesce(sql_instance, '')
order by all
