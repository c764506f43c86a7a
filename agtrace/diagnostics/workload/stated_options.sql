-- Which options of groups and replicas did statements set?
select coalesce(o.replica, o.ag) as of, o.option, o.value, coalesce(c.path, o.host_id, '') as source
from group_options o
left join captures c using (capture_id)
where not o.is_look
order by o.option_id;
