-- What does each output say of sessions: where they came from, since when their transaction is open, what they ran?
-- Of a parallel statement the rowset has a row for each of its threads: one row a session and look is kept.
create or replace table scratch.session_looks as
with rows as (
    select r.capture_id, r.content_id, r.line, r.host_id, r.sql_instance, r.time_local, r.time, k.kind, k.names, r.cells,
           coalesce(scratch.whole(k.names, r.cells, 'session_id'),
                    scratch.whole(k.names, r.cells, 'head_blocker_session_id')) as session_id
    from rowset_rows r join scratch.known_rowsets k using (capture_id, rowset)
    where k.kind in ('requests', 'snapshot_transactions', 'open_transactions', 'head_blockers', 'statements', 'sessions')
),
told as (
    select *, scratch.cell(names, cells, 'host_name') as client, scratch.cell(names, cells, 'program_name') as program,
           scratch.cell(names, cells, 'login_name') as login,
           coalesce(scratch.cell(names, cells, 'stmt_text'), scratch.cell(names, cells, 'statement_text'),
                    scratch.cell(names, cells, 'sql_text'), scratch.cell(names, cells, 'text')) as statement,
           coalesce(scratch.whole(names, cells, 'elapsed_time_seconds'),
                    date_diff('second', try_cast(scratch.cell(names, cells, 'transaction_begin_time') as timestamp),
                              time_local)) as seconds,
           case when kind = 'snapshot_transactions' then scratch.truth(names, cells, 'is_snapshot')
                else starts_with(scratch.cell(names, cells, 'transaction_isolation_level'), '5') end as is_snapshot,
           coalesce(scratch.cell(names, cells, 'is_user_process'), '1') = '1'
               and scratch.cell(names, cells, 'os_thread_id') is null as is_user
    from rows
    where session_id is not null
)
select capture_id, kind, session_id, time_local, any_value(content_id) as content_id, min(line) as line,
       any_value(host_id) as host_id, any_value(sql_instance) as sql_instance, any_value(time) as time,
       max(nullif(trim(client), '')) as client, max(nullif(trim(program), '')) as program,
       max(nullif(trim(login), '')) as login, max(nullif(left(trim(statement), 400), '')) as statement,
       max(seconds) filter (seconds between 0 and $most_s) as seconds, bool_or(is_snapshot) as is_snapshot, bool_and(is_user) as is_user
from told
group by capture_id, kind, session_id, time_local;

-- And near that look, from whichever rowset of the same server: an output has clients in one and statements in another.
-- What has no time is of the same occasion as all others, where they tell of one session of that number.
create or replace table scratch.sessions as
select * exclude (client, program, login, statement),
       coalesce(min(client) over every = max(client) over every and min(login) over every = max(login) over every, true) as is_one,
       coalesce(client, if(time_local is not null, any_value(client) over near, null), if(bool_or(time_local is null) over every and min(client) over every = max(client) over every, min(client) over every, null)) as client,
       coalesce(program, if(time_local is not null, any_value(program) over near, null), if(bool_or(time_local is null) over every and min(program) over every = max(program) over every, min(program) over every, null)) as program,
       coalesce(login, if(time_local is not null, any_value(login) over near, null), if(bool_or(time_local is null) over every and min(login) over every = max(login) over every, min(login) over every, null)) as login,
       coalesce(statement, if(time_local is not null, any_value(statement) over near, null), if(bool_or(time_local is null) over every and min(statement) over every = max(statement) over every, min(statement) over every, null)) as statement
from scratch.session_looks
window near as (
    partition by coalesce(host_id, capture_id), sql_instance, session_id order by time_local
    range between to_seconds($near_s) preceding and to_seconds($near_s) following
),
every as (partition by coalesce(host_id, capture_id), sql_instance, session_id);
