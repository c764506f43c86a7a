-- Which of these messages did a session keep? (put behind the rows of the logs)
    union all
    select 'Extended Events', o.host_id, e._content_id, e._seq, e.error_number, e._time, null, left(e.message, 400)
    from events_error_reported e
    join (select unnest($numbers::integer[]) as number) k on k.number = e.error_number
    join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id
    where e._time is not null and e.message is not null
