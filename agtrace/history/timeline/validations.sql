-- When did a replica find that it is not ready to take over by itself: not all of its databases were joined and
-- synchronised? It is asked before a failover; one that is ready is no event.
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, e.availability_group_name as ag,
       null::varchar as replica, null::varchar as database, 'failover_not_ready' as kind,
       null::varchar as before, null::varchar as after, null::double as value, null::varchar as unit,
       concat('not all databases of ', e.availability_group_name, ' are joined and synchronised') as text
from events_availability_replica_automatic_failover_validation e
join (select content_id, min(host_id) as host_id from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null
  and lower(e.joined_and_synchronized::varchar) in ('false', '0');
