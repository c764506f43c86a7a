-- Which of these messages did an Extended Events session keep (error_reported), and what do they name?
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, n.ag, n.replica, n.database, scratch.kind_by_text(k.kind, coalesce(e.message, '')) as kind, n.before, n.after,
       null::double as value, null::varchar as unit, left(e.message, 400) as text
from events_error_reported e
join scratch.timeline_kinds k on k.message_id = e.error_number
left join scratch.timeline_named n on n.message = e.message
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null;
