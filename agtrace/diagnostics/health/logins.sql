-- Which logins failed because they do not exist (18456, state 5) within an hour after their host became a primary, and
-- not before?
-- null: ag
-- not null: example.text
with failed as (
    select host_id, content_id, line, time, left(text, 300) as text,
           regexp_extract(text, '[''"„“”«»‘’]([^''"„“”«»‘’]{1,128})[''"„“”«»‘’]', 1) as login
    from log_entries
    where source = 'ERRORLOG' and error = 18456 and state = 5 and time is not null and host_id is not null
),
became as (
    select host_id, ag, time from timeline where kind = 'replica_state' and after = 'PRIMARY_NORMAL' and time is not null
)
select f.host_id, f.login, max(b.ag) as ag, max(b.time) as since, count(distinct (f.content_id, f.line)) as n, min(f.time) as first, max(f.time) as last,
       arg_min({'text': f.text, 'content_id': f.content_id, 'line': f.line}, f.time) as example
from failed f
join became b on b.host_id = f.host_id and f.time between b.time and b.time + interval 1 hour
where not exists (from failed e where e.host_id = f.host_id and e.login = f.login and e.time < b.time)
group by f.host_id, f.login
order by f.host_id, n desc, f.login
