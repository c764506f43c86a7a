-- What does each event of automatic seeding say, on which host?
-- Two sessions may record the same event; it counts once. An empty guid says nothing.
with hosts_of as (
    select content_id, arg_min(host_id, path) as host_id from captures where content_id is not null group by content_id
),
clean as (
    select h.host_id, e.event, e._time - to_microseconds(coalesce(k.ahead_us, 0)) as time, e._content_id, e._seq, e.is_source,
           e.operation_attempt_number as attempt,
           scratch.seeding_guid(e.operation_id) as operation_id,
           scratch.seeding_guid(e.ag_id) as ag_id,
           scratch.seeding_guid(e.ag_db_id) as database_guid,
           scratch.seeding_guid(e.ag_remote_replica_id) as remote_replica,
           null::varchar as local_replica, null::varchar as database,
           nullif(trim(e.previous_state), '') as previous_state, nullif(trim(e.current_state), '') as current_state,
           e.required_seeding, e.failure_state, nullif(trim(e.failure_state_desc), '') as failure_text, e.timeout_ms
    from scratch.seeding_automatic e left join hosts_of h on h.content_id = e._content_id
    left join reference_clock k using (host_id)
    where e.is_source is not null and scratch.seeding_time(e._time) is not null
)
select * exclude (_content_id, _seq)
from clean
qualify row_number() over (
    partition by host_id, event, time, is_source, attempt, operation_id, ag_id, database_guid, remote_replica,
                 previous_state, current_state, required_seeding, failure_state, failure_text, timeout_ms
    order by _content_id, _seq) = 1
order by time, _content_id, _seq;
