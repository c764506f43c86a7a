-- Which offsets from UTC did the local time of each host have?
select distinct a.host_id, k.offset_minutes
from clocks k join captures a using (capture_id)
where a.host_id is not null and coalesce(a.reader, '') <> 'xel' and k.offset_minutes is not null
order by 1, 2;
