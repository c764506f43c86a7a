-- Around which stretches of five minutes is it worth looking at counters, where there are any?
select distinct time_bucket(interval 5 minutes, "time") as moment
from scratch.timeline_told
where "time" is not null
  and kind in ('replica_state', 'resource_online', 'lease_expired', 'lease_lost', 'health_timeout', 'health_error',
               'connection_timeout')
  and exists (from counters)
order by moment;
