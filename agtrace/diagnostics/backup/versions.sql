-- Which version ran on each server, as its last start says?
select f.host_id, c.sql_instance, arg_max(f.value, f.time_local) as version
from facts f join captures c using (capture_id)
where f.topic = 'startup' and f.key = 'product_version'
group by f.host_id, c.sql_instance;
