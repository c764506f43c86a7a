-- What did each server write into its ERRORLOG?
select 'ERRORLOG' as source, e.host_id, o.sql_instance, e.content_id, e.line, e.time, e.time_local, e.source as session,
       e.error::bigint as error, e.severity::bigint as severity, e.state::bigint as state, e.message as text
from errorlog e
left join (select content_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e.content_id
