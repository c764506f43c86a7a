-- From when until when did perfmon sample, in UTC and, where a host's offset from it is not known, in local time?
select min(time) as first, max(time) as last, min(time_local) filter (time is null) as first_local,
       max(time_local) filter (time is null) as last_local
from ticks
