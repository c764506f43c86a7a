-- How long did commits wait for replicas, commit by commit?
select lower(ag_database_id::varchar) as group_database_id, count(*) as n, avg(time_to_commit) / 1e3 as mean,
       list_transform(quantile_cont(time_to_commit, [0.5, 0.95, 0.99]), lambda us: us / 1e3) as quantiles
from events_hadr_db_commit_mgr_harden
where time_to_commit > 0
group by all;
