-- What was the mean of each resource in each minute?
select "window" as number, host, resource, avg(value) as value
from scratch.usage_series
where value is not null
group by "window", host, resource, time_bucket(interval '1 minute', time)
order by host, resource, time_bucket(interval '1 minute', time)
