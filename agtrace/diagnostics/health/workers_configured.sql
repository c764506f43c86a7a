-- What was max worker threads last set to on each instance? 0 lets SQL Server compute it.
-- null: line
select host_id, coalesce(sql_instance, '') as sql_instance, try_cast(value as bigint) as most, content_id, line
from server_options
where lower(option) = 'max worker threads' and try_cast(value as bigint) is not null
qualify row_number() over (partition by host_id, coalesce(sql_instance, '')
                           order by coalesce(end_local, timestamp '9999-12-31') desc, start_local desc nulls last) = 1
order by all
