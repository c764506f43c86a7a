-- Which connections could not be set up, as AlwaysOn_health keeps it? (put behind the rows of the logs)
    union all
    select o.host_id, e._time, e._content_id, e._seq, left(e.error_message, 400), 'ucs_connection_setup'
    from events_ucs_connection_setup e
    join owners o on o._content_id = e._content_id
    where e._time is not null and try_cast(e.error_number as bigint) <> 0 and e.error_message is not null
