-- Which statements set the modes of replicas, in order of time?
-- null: content_id
select ag, replica, option, upper(value) as value, time, content_id
from group_options
where not is_look and option in ('availability_mode', 'failover_mode')
  and ag is not null and replica is not null and value is not null and time is not null
order by option_id
