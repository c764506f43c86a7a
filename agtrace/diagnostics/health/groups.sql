-- How long may each group's health check be silent, at the last look that tells it?
-- null: line
select ag, arg_max(health_check_timeout_ms, time_local) as health_check_timeout_ms,
       arg_max(content_id, time_local) as content_id, arg_max(line, time_local) as line
from groups
where ag is not null and health_check_timeout_ms is not null
group by ag
order by ag
