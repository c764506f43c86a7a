-- How often did commits of each host wait for replicas, by its wait statistics?
-- null: n
select host_id, sum(waiting_tasks)::bigint as n
from waits
where wait_type = 'HADR_SYNC_COMMIT' and host_id is not null
group by all
order by all;
