-- How did each database of each secondary stand at each look at a server?
-- The primary's own rows queue nothing: where nothing else tells which they are, they are those without a queue of a
-- database that others have one of. A look that was collected twice counts once.
with shown as (
    select *, log_send_queue_kb is not null or redo_queue_kb is not null as has_queue,
           bool_or(log_send_queue_kb is not null or redo_queue_kb is not null)
               over (partition by capture_id, time_local, lower("database")) as other_has_queue
    from database_states
),
primaries as (
    select distinct capture_id, lower(ag) as ag, lower(replica) as replica from replicas where role = 'PRIMARY'
)
select coalesce(d.ag, '') as ag, d.replica, d.database, d.synchronization_state, d.is_suspended, d.suspend_reason, d.log_send_queue_kb,
       d.log_send_rate_kb_s, d.redo_queue_kb, d.redo_rate_kb_s, d.secondary_lag_s, d.time is null as is_local,
       epoch_us(coalesce(d.time::timestamp, d.time_local)) / 1e6 as time_s, d.host_id,
       not coalesce(d.is_local, false) as is_of_primary, coalesce(c.path, d.capture_id) as path, d.line
from shown d
left join captures c using (capture_id)
left join primaries p on p.capture_id = d.capture_id and p.ag is not distinct from lower(d.ag) and p.replica = lower(d.replica)
where d.replica is not null and d.database is not null and (d.synchronization_state is not null or d.has_queue)
  and p.replica is null
  and (d.has_queue or not coalesce(d.is_local, d.other_has_queue))
qualify row_number() over (
    partition by lower(coalesce(d.ag, '')), lower(d.replica), lower(d.database), d.host_id, d.sql_instance, d.time_local
    order by path, d.line) = 1
order by is_local, time_s nulls first, path, d.line;
