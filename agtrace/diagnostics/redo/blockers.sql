-- Which sessions held the locks that redo of each server waited for, at how many looks, since when, and what did they run?
-- A session number is given out anew: one that comes from another client or program is another session.
-- null: session_id, login, statement, databases, longest_s, open_s, start, end, start_local, end_local
select b.host_id, b.session_id, coalesce(b.client, '') as client, coalesce(b.program, '') as program,
       any_value(b.login) as login, max(b.statement) as statement,
       list(distinct b."database" order by b."database") filter (b."database" is not null) as databases,
       greatest(count(distinct b.time_local), 1) as looks, max(b.wait_ms) / 1e3 as longest_s, max(b.seconds) as open_s,
       min(b.time - to_milliseconds(coalesce(b.wait_ms, 0))) as start, max(b.time) as "end",
       min(b.time_local - to_milliseconds(coalesce(b.wait_ms, 0))) as start_local, max(b.time_local) as end_local,
       arg_max(coalesce(c.path, 'a look') || coalesce(' line ' || b.line, ''), coalesce(b.wait_ms, 0)) as place
from blocked_redo b
left join captures c on c.capture_id = b.capture_id
where b.host_id is not null
group by all
order by b.host_id, longest_s desc nulls last, looks desc, b.session_id;
