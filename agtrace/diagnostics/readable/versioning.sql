-- Which readers waited, at which look, until a secondary that had just become readable had row versions?
-- null: longest_ms, start, end, start_local, end_local, databases
select coalesce(r.host_id, '') as host_id, count(*) as n, max(r.wait_ms) as longest_ms, min(r.time) as start, max(r.time) as "end",
       min(r.time_local) as start_local, max(r.time_local) as end_local,
       list_sort(list(distinct r."database") filter (r."database" is not null)) as databases,
       arg_max(coalesce(c.path, 'a look') || coalesce(' line ' || r.line, ''), coalesce(r.wait_ms, 0)) as place
from hadr_requests r
left join contents c on c.content_id = r.content_id
where r.wait_type = 'HADR_DATABASE_WAIT_FOR_TRANSITION_TO_VERSIONING'
group by all
order by 1
