-- Which databases did a look show as reverting?
-- null: ag, line, start, end, start_local, end_local
select d.ag, d."database", coalesce(d.replica, d.host_id) as replica, min(d.time) as start, max(d.time) as "end",
       min(d.time_local) as start_local, max(d.time_local) as end_local, count(*) as looks,
       arg_min(d.line, d.time_local) as line, arg_min(coalesce(c.path, 'a look'), d.time_local) as path
from database_states d left join contents c on c.content_id = d.content_id
where upper(d.synchronization_state) = 'REVERTING'
group by all
order by start_local, d."database", replica;
