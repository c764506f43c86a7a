-- What did each start of SQL Server tell of itself and of its host? In order of time; a start whose
-- offset from UTC is not known has its local time only.
with told as (
    select f.host_id, c.sql_instance, f.content_id, f.item, f.key, max(f.value) as value,
           min(f.time) as time, min(f.time_local) as time_local, coalesce(min(c.path), '') as path
    from facts f
    left join captures c using (capture_id)
    where f.topic = 'startup' and list_contains($keys::varchar[], f.key)
      and f.host_id is not null and f.value is not null
    group by all
)
select host_id as host, sql_instance as instance, min(time) as time, min(time_local) as time_local,
       list(key order by key) as keys, list(value order by key) as "values", min(path) as path
from told
group by host_id, sql_instance, content_id, item
order by host, time nulls last, time_local, instance, path;
