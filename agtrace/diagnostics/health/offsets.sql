-- Which offset from UTC did the clock of each host have, as its own files in local time tell, and from when on (UTC)?
select distinct c.host_id as host, k.offset_minutes as minutes, k.local_from - to_minutes(k.offset_minutes) as since
from clocks k
join captures c using (capture_id)
where c.host_id is not null and k.offset_minutes is not null and c.reader not in ('xel', 'cluster_log')
order by host, since, minutes
