-- Which recovery of each database took longest on each host, when it became the primary or when it started?
-- null: end, end_local, host_id
select r.host_id, r."database", r.seconds, r.promoted_local is not null as is_failover, r."end", r.end_local,
       coalesce(c.path, 'ERRORLOG') || coalesce(' line ' || r.line, '') as place, count(*) over (partition by r.host_id, r."database") as n
from recoveries r
left join contents c on c.content_id = r.content_id
where r.seconds is not null
qualify row_number() over (partition by r.host_id, r."database" order by r.promoted_local is not null desc, r.seconds desc, r.end_local) = 1
order by r.host_id, r."database"
