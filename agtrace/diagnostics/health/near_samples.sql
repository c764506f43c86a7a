-- How busy were the processors, each minute of system_health? (put behind what sp_server_diagnostics shows)
    union all
    select o.host_id, e._time, 100 - try_cast(e.system_idle as double), null, null
    from events_scheduler_monitor_system_health_ring_buffer_recorded e
    join owners o on o._content_id = e._content_id
    where e._time is not null
