-- When had each database that became primary recovered?
-- null: line
select host_id, "database", start, "end", content_id, line
from recoveries
where promoted_local is not null and start is not null
order by "end", host_id, "database", line
