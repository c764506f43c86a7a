-- Which databases did a look show as reverting?
select ag, "database", coalesce(replica, host_id) as replica, min(time) as start, max(time) as "end",
       min(time_local) as start_local, max(time_local) as end_local, count(*) as looks,
       arg_min(content_id, time_local) as content_id, arg_min(line, time_local) as line,
       (select any_value(path) from contents c where c.content_id = arg_min(d.content_id, d.time_local)) as path
from database_states d
where upper(synchronization_state) = 'REVERTING'
group by all
order by start_local, "database", replica;
