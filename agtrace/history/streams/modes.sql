-- Which commit mode was configured for each replica at each look at a server?
-- An id of a group that nothing names tells of no group.
select distinct epoch_us(r.time) / 1e6 as time_s, r.ag, r.replica, r.availability_mode as mode,
       coalesce(c.path, r.capture_id) as path, r.line
from replicas r left join captures c using (capture_id)
where r.ag is not null and r.replica is not null
  and r.availability_mode in ('SYNCHRONOUS_COMMIT', 'ASYNCHRONOUS_COMMIT')
order by time_s nulls last, path, r.line;
