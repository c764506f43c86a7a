-- Which options of groups did each look at a server show, under their names in statements?
with shown as (
    unpivot (
        select capture_id, content_id, line, host_id, time, ag,
               failure_condition_level::varchar as failure_condition_level,
               health_check_timeout_ms::varchar as health_check_timeout,
               backup_preference as automated_backup_preference
        from groups
    ) on failure_condition_level, health_check_timeout, automated_backup_preference into name option value value
)
select *, true as is_look from shown order by time, capture_id, line, option;
