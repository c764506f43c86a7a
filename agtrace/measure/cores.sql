-- How busy was each processor within each window, by every counter that tells of them?
with each as (
    select number, host, rank, instance, count(*) as n, avg(value) as mean
    from scratch.usage_samples
    where resource = $cpu
    group by number, host, rank, instance
)
select number, host, rank, list(instance order by instance) as instances,
       list(mean order by instance) as means, max(n) as n
from each
group by number, host, rank
order by all;
