-- How large was the version store of each secondary, what was free in tempdb, and how old was the longest transaction?
select host_id, sql_instance, counter, coalesce(time at time zone 'UTC', time_local) as time,
       if(counter = 'Longest Transaction Running Time', value, value * 1024) as value
from row_versions
where counter in ('Version Store Size (KB)', 'Free Space in tempdb (KB)', 'Longest Transaction Running Time')
order by host_id, sql_instance, counter, time_local;
