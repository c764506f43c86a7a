-- What did the ERRORLOGs say about data movement (35264, 35265)?
select host_id, message_id, content_id, line, fields['database'] as database, fields['reason'] as reason
from messages
where topic = 'data_movement' and host_id is not null
order by host_id, time_local, line;
