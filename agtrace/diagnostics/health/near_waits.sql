-- How long did a request wait for a worker, as system_health keeps long waits? In ms. (put behind the samples)
    union all
    select o.host_id, e._time, null, null, try_cast(e.duration as bigint)
    from events_wait_info e
    join owners o on o._content_id = e._content_id
    where e._time is not null and e.wait_type = 'THREADPOOL'
