-- Whose cluster logs were captured?
select distinct host_id as host
from captures
where kind = 'cluster log' and host_id is not null
order by host_id
