-- When are gaps of ERRORLOGs that no other copy fills, in seconds since 1970?
select distinct host_id, sql_instance, epoch_us(start) / 1e6 as from_s, epoch_us("end") / 1e6 as to_s,
       epoch_us(start_local) / 1e6 as local_from_s, epoch_us(end_local) / 1e6 as local_to_s
from log_gaps
where not is_filled and host_id is not null
order by all
