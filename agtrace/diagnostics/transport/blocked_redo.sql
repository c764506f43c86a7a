-- Which sessions did looks show to hold a lock that redo waited for, on which server, and when?
-- null: at, database, session_id, waited_s, client, program, statement
select b.host_id, epoch_us(b.time) / 1e6 as at, b."database", b.session_id, b.wait_ms / 1e3 as waited_s, b.client, b.program, b.statement,
       coalesce(c.path, 'a look') || coalesce(' line ' || b.line, '') as place
from blocked_redo b
left join captures c on c.capture_id = b.capture_id
-- What has no time at all is of the same occasion as the rest; a local time of an unknown zone is not comparable.
where b.host_id is not null and (b.time is not null or b.time_local is null)
order by b.host_id, b.time, b.session_id;
