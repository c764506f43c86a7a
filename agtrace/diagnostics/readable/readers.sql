-- Which long transactions did looks at each server show, since when, and until which look?
-- A session number is given out anew: another client or program, or another begin, is another transaction.
-- null: sql_instance, session_id, begun, login, statement, is_snapshot, seconds, last_local
select l.host_id, l.sql_instance, l.session_id,
       coalesce(l.client, '') as client, coalesce(l.program, '') as program,
       date_trunc('minute', l.time_local - to_seconds(l.seconds)) as begun, max(l.login) as login,
       max(l.statement) as statement, bool_or(l.is_snapshot) as is_snapshot, max(l.seconds) as seconds,
       max(l.time_local) as last_local, arg_max(coalesce(c.path, 'a look') || coalesce(' line ' || l.line, ''), coalesce(l.time_local, '-infinity')) as place
from long_transactions l
left join captures c on c.capture_id = l.capture_id
where l.host_id is not null
group by all
order by l.host_id, begun, l.session_id;
