-- Which file is which content, and which hosts were captured by more than counters?
-- null: host_id, sql_instance
select content_id, any_value(path order by path) as path, any_value(host_id order by path) as host_id,
       any_value(sql_instance order by path) as sql_instance
from captures
where kind is not null
group by content_id
