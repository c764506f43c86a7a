-- How did replicas and databases stand when a server was looked at (support outputs)? The first look, and those that
-- differ from the one before; of databases only what is not healthy, or was not before.
with looks as (
    select content_id, line, host_id, time, time_local, ag, replica, null::varchar as database, 'look_replica' as kind,
           role as after, true as is_told,
           concat_ws(', ', concat(replica, ' in ', ag), role, connected_state, synchronization_health) as text
    from replicas
    where role is not null or connected_state is not null
    union all
    select content_id, line, host_id, time, time_local, ag, replica, database, 'look_database',
           synchronization_state, coalesce(synchronization_health <> 'HEALTHY', false) or coalesce(is_suspended, false),
           concat_ws(', ', concat(database, ' on ', coalesce(replica, 'this replica'), ' in ', ag), synchronization_state,
                     synchronization_health, if(is_suspended, concat_ws(' ', 'suspended', suspend_reason), null))
    from database_states
    where synchronization_state is not null or synchronization_health is not null
),
compared as (
    select *, lag(text) over same as text_before, lag(after) over same as before, lag(is_told) over same as was_told
    from looks
    where host_id is not null
    window same as (partition by host_id, kind, ag, replica, database order by time_local, content_id, line)
)
select 'support output' as source, 5 as rank, content_id, line, host_id as witness, host_id, time, time_local, ag, replica,
       database, kind, before, after, null::double as value, null::varchar as unit, left(text, 400) as text
from compared
where text is distinct from text_before and (is_told or was_told);
