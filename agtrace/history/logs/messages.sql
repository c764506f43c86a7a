-- Which entries of ERRORLOGs are known, and what do they say?
select m.host_id, o.sql_instance, m.content_id, m.line, m.time, m.time_local, m.source as session, m.topic,
       m.message_id::bigint as message_id, m.language, m.fields
from messages m
left join (select content_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = m.content_id
