-- Which replicas had databases that were suspended or not synchronising at the last snapshot that shows them?
-- null: suspended, reason, time, line
with last as (
    select d.replica, d."database", d.is_suspended, d.synchronization_state, d.suspend_reason, d.time, d.content_id, d.line
    from database_states d
    where d.replica is not null and not coalesce(d.is_primary, false)
    qualify row_number() over (
        partition by upper(split_part(d.replica, '.', 1)), lower(d."database")
        order by coalesce(d.time::timestamp, d.time_local) desc nulls last, d.content_id, d.line desc) = 1
)
select replica, list("database" order by "database") filter (coalesce(is_suspended, false)) as suspended,
       list("database" order by "database") as databases, any_value(suspend_reason) as reason, max(time) as time,
       arg_min(content_id, line) as content_id, min(line) as line
from last
where is_suspended or synchronization_state = 'NOT SYNCHRONIZING'
group by replica
order by replica
