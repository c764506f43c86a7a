-- How long did commits wait for replicas, commit by commit?
select group_database_id, count(*) as n, avg(ms) as mean, quantile_cont(ms, [0.5, 0.95, 0.99]) as quantiles
from commit_waits
where ms > 0
group by all;
