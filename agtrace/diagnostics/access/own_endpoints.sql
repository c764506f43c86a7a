-- When did an endpoint for mirroring stop, or not begin, to listen?
-- null: line
select host_id, time, content_id, line, fields['event'] as event
from log_messages
where topic = 'endpoint' and host_id is not null and time is not null
  and fields['event'] in ('stopped_listening', 'disabled') and fields['kind'] not ilike '%broker%'
order by time, host_id, line
