-- Which of these messages did a session keep? (put behind the rows of the logs)
    union all
    select k.kind, 'Extended Events', o.host_id, e._content_id, e._seq, e._time, null, left(e.message, 400)
    from events_error_reported e
    join kinds k on k.number = e.error_number
    join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id
    where e._time is not null
