-- Which databases did not recover, or could not be redone, what did their session log before, and did they come back?
-- null: sql_instance, database, reason, start, end, start_local, end_local, cause_error, cause, cause_line, content_id, line, back, ag
select f.*, coalesce(c.path, 'ERRORLOG') as path,
       (select min(t.time) from timeline t where t.host_id = f.host_id and t."database" = f."database" and t.time > f."end"
        and (t.kind = 'database_connected' or (t.kind = 'database_role' and upper(t.after) in ('PRIMARY', 'SECONDARY')))) as back,
       (select any_value(ag) from database_states d where d."database" = f."database" and d.host_id = f.host_id) as ag
from database_faults f left join contents c on c.content_id = f.content_id
where f.kind in ('not_recovered', 'redo_failed')
order by f.start_local, f.host_id, f."database";
