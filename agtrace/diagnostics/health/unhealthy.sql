-- Which replicas and databases do rows without a host or a time show as disconnected or not healthy? Where both are
-- known, the readiness of the replica reports it; a suspended database has a finding of its own.
-- null: ag, replica, database, connected_state, synchronization_state, synchronization_health, content_id, line
with shown as (
    select ag, replica, null::varchar as "database", connected_state, null::varchar as synchronization_state,
           synchronization_health, content_id, line
    from replicas
    where (host_id is null or time_local is null) and replica is not null
      and (upper(connected_state) = 'DISCONNECTED' or upper(synchronization_health) = 'NOT_HEALTHY')
    union all
    select ag, replica, "database", null, synchronization_state, synchronization_health, content_id, line
    from database_states
    where (host_id is null or time_local is null) and "database" is not null and not coalesce(is_suspended, false)
      and upper(synchronization_health) = 'NOT_HEALTHY'
)
select *
from shown
qualify row_number() over (partition by ag, replica, "database" order by content_id, line) = 1
order by ag, replica, "database" nulls first
