-- Under which names and addresses did the last look find the listeners of each group?
-- null: port, ip_address, state
select ag, coalesce(dns_name, listener) as name, port, ip_address, state
from listeners
where ag is not null and coalesce(dns_name, listener) is not null
qualify time_local is not distinct from max(time_local) over (partition by ag)
    and row_number() over (partition by ag, coalesce(dns_name, listener), ip_address order by time_local desc, line) = 1
order by ag, name, ip_address
