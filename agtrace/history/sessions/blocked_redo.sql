-- At which looks did redo wait for a lock of a session, of which database, and whose session was it?
-- Redo is a request of the system: DB STARTUP of serial redo and of the thread that hands out the work, PARALLEL REDO
-- TASK of the others. Its database is an id; other outputs of the server name it.
with waiting as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time,
           scratch.whole(k.names, r.cells, 'session_id') as redo_session_id,
           coalesce(scratch.whole(k.names, r.cells, 'database_id'),
                    -- OBJECT: 9:437576597:0, DATABASE: 9, METADATA: database_id = 9 ..
                    try_cast(nullif(regexp_extract(scratch.cell(k.names, r.cells, 'wait_resource'),
                                                   '^[A-Z]+: ?(?:database_id = )?(\d{1,5})\b', 1), '') as bigint)) as database_id,
           upper(scratch.cell(k.names, r.cells, 'wait_type')) as wait_type,
           coalesce(scratch.whole(k.names, r.cells, 'wait_duration_ms'), scratch.whole(k.names, r.cells, 'wait_time')) as told_ms,
           if(told_ms / 1000 between 0 and $most_s, told_ms, null) as wait_ms,
           scratch.whole(k.names, r.cells, 'blocking_session_id') as session_id
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind = 'requests'
      and upper(scratch.cell(k.names, r.cells, 'command')) in ('DB STARTUP', 'PARALLEL REDO TASK', 'PARALLEL REDO HELP TASK')
),
blocked as (
    select * from waiting where starts_with(wait_type, 'LCK_M_') and session_id > 0
    -- An output has the requests of users and of the system, and its threads: a look tells of a session once.
    qualify row_number() over (
        partition by coalesce(host_id, capture_id), sql_instance, redo_session_id, session_id, time_local
        order by wait_ms desc, capture_id, line) = 1
),
named as (
    select host_id, sql_instance, database_id, min(name) as name
    from (
        select r.host_id, r.sql_instance,
               coalesce(scratch.whole(k.names, r.cells, 'database_id'), scratch.whole(k.names, r.cells, 'dbid')) as database_id,
               case k.kind when 'databases' then scratch.cell(k.names, r.cells, 'name')
                           when 'redo_tasks' then scratch.cell(k.names, r.cells, 'dbname')
                           else scratch.cell(k.names, r.cells, 'database') end as name
        from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
        where k.kind in ('databases', 'redo_tasks', 'file_io')
    )
    where host_id is not null and nullif(trim(name), '') is not null
    group by all
    -- An id that two names had is nobody's.
    having count(distinct name) = 1
)
select b.capture_id, b.content_id, b.line, b.host_id, b.sql_instance, b.time_local, b.time, b.redo_session_id,
       n.name as "database", b.database_id, b.wait_type, b.wait_ms, b.session_id,
       max(s.seconds) as seconds, arg_min(s.client, coalesce(abs(epoch(s.time_local) - epoch(b.time_local)), 0)) as client,
       arg_min(s.program, coalesce(abs(epoch(s.time_local) - epoch(b.time_local)), 0)) as program,
       arg_min(s.login, coalesce(abs(epoch(s.time_local) - epoch(b.time_local)), 0)) as login,
       arg_min(s.statement, coalesce(abs(epoch(s.time_local) - epoch(b.time_local)), 0)) as statement
from blocked b
left join scratch.sessions s
  on coalesce(s.host_id, s.capture_id) = coalesce(b.host_id, b.capture_id)
 and s.sql_instance is not distinct from b.sql_instance and s.session_id = b.session_id
 and coalesce(s.time_local between b.time_local - to_seconds($near_s) and b.time_local + to_seconds($near_s), s.is_one)
left join named n
  on n.host_id = b.host_id and n.sql_instance is not distinct from b.sql_instance and n.database_id = b.database_id
group by all
order by b.capture_id, b.line;
