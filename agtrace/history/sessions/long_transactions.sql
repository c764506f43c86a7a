-- Which sessions of users had a transaction open for long, at which look?
select capture_id, content_id, line, host_id, sql_instance, time_local, time, session_id, seconds, is_snapshot,
       client, program, login, statement
from scratch.sessions
where kind in ('requests', 'snapshot_transactions') and is_user and seconds >= $long_s
-- What two outputs say of a session at a moment counts once: that of row versions knows more.
qualify row_number() over (
    partition by coalesce(host_id, capture_id), sql_instance, session_id, time_local
    order by (kind = 'snapshot_transactions') desc, capture_id, line) = 1
order by capture_id, line;
