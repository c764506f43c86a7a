-- Which roles of the cluster are availability groups? Those whose resource says so in the cluster log: its name is
-- the group's. A role of another kind may be moved beside them, and is none.
select distinct resource as ag
from cluster_log
where resource is not null and starts_with(text, '[RES] SQL Server Availability Group <')
order by ag;
