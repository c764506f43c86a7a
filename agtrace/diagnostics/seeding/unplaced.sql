-- null: database, ag, message_id
-- Which failures of seeding do the ERRORLOGs tell whose offset from UTC is unknown, how often, and how did the last one read?
select coalesce(m.host_id, '') as host_id, m.fields['database'] as "database", m.fields['ag'] as ag, m.message_id, count(*) as n,
       min(m.time_local) as first, max(m.time_local) as last,
       arg_max(coalesce(c.path, 'ERRORLOG') || ' line ' || m.line, m.time_local) as place,
       coalesce(arg_max(left(e.text, 400), m.time_local), '') as text
from log_messages m
left join log_entries e on e.content_id = m.content_id and e.line = m.line and e.source = 'ERRORLOG'
left join contents c on c.content_id = m.content_id
where m.topic = 'seeding_failed' and m.time is null and m.time_local is not null
group by all
order by first, host_id, "database"
