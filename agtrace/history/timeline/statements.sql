-- Which statements about groups were run, and by whom?
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, e.availability_group_name as ag,
       null::varchar as replica, null::varchar as database, 'ddl' as kind,
       null::varchar as before, lower(e.ddl_phase::varchar) as after, null::double as value, null::varchar as unit,
       left(e.statement, 400) as text
from events_alwayson_ddl_executed e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null;
