-- When did a replica join a database to its availability group? The connection and the change of
-- role that its ERRORLOG shows (35266, 1480), one row each.
select host_id as host, fields['database'] as database, time,
       case topic when 'role_change' then 'role' else 'connection' end as what
from log_messages
where host_id is not null and time is not null and fields['database'] is not null
  and (topic = 'database_connection' and fields['event'] = 'established'
       or topic = 'role_change' and upper(fields['new_role']) = 'SECONDARY')
order by time, line;
