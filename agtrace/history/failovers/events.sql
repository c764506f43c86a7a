-- What was told of groups and their servers around the moments at which a replica of a group changed its state?
with moments as (
    select distinct time_bucket(interval 10 minutes, "time") as bucket
    from timeline
    where kind in ('replica_state', 'resource_online', 'resource_left', 'group_moved') and "time" is not null
),
near as (
    select distinct unnest([bucket - interval 10 minutes, bucket, bucket + interval 10 minutes]) as bucket from moments
)
select "time", "end", ag, host_id, replica, "database", kind, before, after, "value", "text", skew_ms, witnesses
from timeline t
where "time" is not null
  and (kind in ('replica_state', 'restart', 'ready')
       -- What a look shows stood so before, too.
       or (kind = 'look_database' and contains(text, 'SUSPEND_FROM_PARTNER'))
       or time_bucket(interval 10 minutes, "time") in (select bucket from near))
order by "time", host_id, kind, "value" desc nulls last, "text";
