-- How long did each commit wait for its replicas?
select e._time as time, o.host_id, o.sql_instance, e._content_id as content_id, e._seq as seq,
       lower(e.ag_database_id::varchar) as group_database_id, try_cast(e.time_to_commit as double) / 1e3 as ms
from events_hadr_db_commit_mgr_harden e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
