-- Which states of replicas did the session AlwaysOn_health see (availability_replica_state_change)?
with hosted as (
    select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id
)
select h.host_id, h.sql_instance, 'state_change' as topic, (epoch_us(e._time) - coalesce(k.ahead_us, 0)) / 1e6 as time_s,
       null::double as local_s, e.availability_group_name as ag, e.availability_replica_name as replica,
       null::varchar as database, e.previous_state as before, e.current_state as after
from events_availability_replica_state_change e
left join hosted h on h.content_id = e._content_id
left join reference_clock k using (host_id)
where e._time is not null
order by e._ticks, e._content_id, e._seq;
