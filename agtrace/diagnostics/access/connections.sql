-- To whom was each server connected, or not, and when? Snapshots first, then logs, each in order of time.
-- null: ag, is_connected, time, content_id, line, text
select kind, ag, host_id, replica, replica_host_id, is_connected, time, content_id, line, text
from connections
where kind = 'snapshot' or time is not null
order by kind <> 'snapshot', time nulls first, kind, host_id, replica, line
