-- What was told of groups and their servers around the moments at which a replica of a group changed its state?
with moments as (
    select distinct time_bucket(interval 10 minutes, "time") as bucket
    from timeline
    where kind in ('replica_state', 'resource_online', 'resource_left', 'group_moved') and "time" is not null
),
near as (
    select distinct unnest([bucket - interval 10 minutes, bucket, bucket + interval 10 minutes]) as bucket from moments
)
select epoch_us("time") / 1e6 as at, epoch_us("end") / 1e6 as until, coalesce(host_id, '') as host_id, ag, kind, before, after, replica,
       coalesce("text", '') as "text", coalesce(skew_ms, 0) as skew_ms,
       [{'source': w.source, 'host_id': w.host_id, 'content_id': w.content_id, 'line': w.line}
        for w in coalesce(witnesses, [])] as witnesses,
       "value"
from timeline t
-- The roles of databases follow that of their replica: there may be very many, and none tells more of it.
where "time" is not null and kind <> 'database_role'
  and (kind in ('replica_state', 'restart', 'ready')
       -- What a look shows stood so before, too.
       or (kind = 'look_database' and contains(text, 'SUSPEND_FROM_PARTNER'))
       or time_bucket(interval 10 minutes, "time") in (select bucket from near))
order by "time", host_id, kind, "value" desc nulls last, "text";
