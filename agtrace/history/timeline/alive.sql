-- Why did the cluster find the resource of a group not alive (SQLDIAG files)?
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, e.availability_group_name as ag,
       null::varchar as replica, null::varchar as database, 'not_alive' as kind,
       null::varchar as before, upper(e.reason::varchar) as after, null::double as value, null::varchar as unit,
       concat('resource of ', e.availability_group_name, ' is not alive: ', e.reason) as text
from events_availability_group_is_alive_failure e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null;
