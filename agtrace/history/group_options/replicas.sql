-- Which options of replicas did each look at a server show, under their names in statements?
with shown as (
    unpivot (
        select capture_id, content_id, line, host_id, time, ag, replica, availability_mode, failover_mode,
               session_timeout_s::varchar as session_timeout, backup_priority::varchar as backup_priority
        from replicas
        where replica is not null
    ) on availability_mode, failover_mode, session_timeout, backup_priority into name option value value
)
select *, true as is_look from shown order by time, capture_id, line, option;
