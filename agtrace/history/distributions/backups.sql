-- How fast was each backup and restore? One value each, in the middle of the time that it took.
with wanted as (
    select unnest($host::varchar[]) as host, unnest($instance::varchar[]) as database,
           unnest($counter::varchar[]) as counter, unnest($grp::bigint[]) as grp
),
timed as (
    select coalesce(host_id, '') as host, coalesce(database, '') as database,
           if(operation = 'restore', 'Restore throughput', 'Backup throughput') as counter,
           coalesce(start + ("end" - start) / 2, "end") as time,
           coalesce(start_local + (end_local - start_local) / 2, end_local) as time_local,
           mb_per_s * 1048576 as value
    from backups
    where status = 'completed' and mb_per_s > 0 and duration_s >= $least_s
      and not coalesce(is_snapshot, false)
)
insert into scratch.percentile_observed
select w.grp, s.time, s.time_local, s.value * $scale
from timed s
join wanted w using (host, database, counter)
where {window};
