-- Which processors does each perfmon log list, and how busy was each at first? In order of time, a row
-- for each log and object; the first rows of a log are enough to see whether any is left out.
with own as (
    select counter_id, host_id, content_id, object, instance
    from counters
    where object in ('Processor', 'Processor Information') and counter = '% Processor Time'
      and host_id is not null and instance is not null
),
listing as (
    select host_id, content_id, object from own group by all having count(*) > 1 and bool_or(instance = $total)
),
each as (
    select host_id, content_id, object, instance, avg(value) as mean, min(time_local) as first
    from scratch.sampled('own')
    join listing using (host_id, content_id, object)
    where tick < 200
    group by host_id, content_id, object, instance
)
select host_id as host, list(instance order by instance) as instances,
       list(mean order by instance) as means
from each
group by host_id, content_id, object
order by host, min(first), object;
