-- When was an instance of each host away, or started?
select host_id, "time", coalesce("end", "time") as until
from timeline
where kind = 'restart' and "time" is not null and host_id is not null
order by "time";
