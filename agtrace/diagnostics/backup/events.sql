-- What do the events that carry the text of the trace flags say? In local time, as the logs do.
-- A session is known where the event has it; else its database keeps operations apart.
with zones as (
    select a.host_id, arg_min(k.offset_minutes, k.local_from) as minutes
    from clocks k join captures a using (capture_id)
    where a.host_id is not null
    group by a.host_id
)
select e._content_id as content_id, c.host_id, cast(e._seq as bigint) as line, e._time as time,
       (e._time at time zone 'UTC') + to_minutes(coalesce(z.minutes, 0)) as time_local,
       coalesce('spid' || cast({session} as varchar), 'event ' || e.database_name) as source,
       case when lower(cast(e.operation_type as varchar)) in ('1', 'restore') then 'restore' else 'backup' end
           as operation,
       e.database_name as database, e.trace_message as message
from events_backup_restore_progress_trace e
join (select content_id, any_value(host_id) as host_id from captures group by content_id) c
  on c.content_id = e._content_id
left join zones z using (host_id)
order by content_id, line;
