-- How much memory was SQL Server allowed on each host, and when? Times must be known to be of use.
-- null: start, end
select host_id as host, value::bigint as mb, start, "end", concat(what, ', ', path, ', line ', line) as source
from server_options
where option = 'max server memory (MB)' and regexp_full_match(value, '[0-9]{1,10}')
  and (start is not null or "end" is not null)
order by host_id, start nulls first;
