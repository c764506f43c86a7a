-- What do wait statistics of a host and the commits that it captured say of the same minutes? Both are of all of
-- its databases. Each interval counts that lies within the session.
-- null: waited, other
with commits as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, time, ms
    from commit_waits
    where ms > 0
),
sessions as (
    select host_id, sql_instance, min(time) as start, max(time) as "end" from commits group by all
),
intervals as (
    select w.host_id, coalesce(w.sql_instance, 'MSSQLSERVER') as sql_instance, waiting_tasks, wait_ms,
           time - to_milliseconds((seconds * 1000)::bigint) as start, time as "end"
    from waits w where wait_type = 'HADR_SYNC_COMMIT' and time is not null
),
compared as (
    select i.*, sum(c.ms) as commit_ms, count(*) as commits
    from intervals i
    join sessions s
      on s.host_id = i.host_id and s.sql_instance = i.sql_instance and i.start >= s.start and i."end" <= s."end"
    join commits c
      on c.host_id = i.host_id and c.sql_instance = i.sql_instance and c.time > i.start and c.time <= i."end"
    group by all
)
select host_id as host, sql_instance, min(start) as start, max("end") as "end",
       sum(wait_ms) / nullif(sum(waiting_tasks), 0) as waited, sum(waiting_tasks)::bigint as waits,
       sum(commit_ms) / sum(commits) as other, sum(commits)::bigint as n
from compared
group by all
order by all;
