-- How many blocks were joined over both hosts, and why could the others not be?
select database, replica, primary_host, replica_host, joined, why_not, count(*) as blocks
from log_blocks
group by all
order by all;
