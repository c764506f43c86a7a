-- How did each look show each address of each listener? In order of time.
-- null: ag, port, ip_address, subnet_mask, state, host_id, time, time_local, line
select distinct ag, coalesce(dns_name, listener) as listener, port, ip_address, subnet_mask, state, host_id, time,
       time_local, content_id, min(line) as line
from listeners
where coalesce(dns_name, listener) is not null
group by all
order by time nulls first, time_local nulls first, content_id, line, ip_address
