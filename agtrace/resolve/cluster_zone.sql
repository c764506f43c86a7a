-- Which offset do the cluster logs have that state none? What the cluster does to a group or a node, the servers note
-- within seconds: the offset counts at which enough of their moments meet, and none other does.
-- The offset of their host is none of theirs: they may be written in UTC.
delete from clocks
where source <> 'given by the user'
  and content_id in (select distinct content_id from raw_cluster_log)
  and content_id not in (select content_id from raw_facts where topic = 'cluster_log' and key = 'written_in');

insert into clocks
with mute as (
    select o.content_id, o.capture_id
    from contents o
    where o.content_id in (select distinct content_id from raw_cluster_log)
      and o.capture_id not in (select capture_id from clocks)
      and o.content_id not in (select content_id from raw_facts where topic = 'cluster_log' and key = 'written_in')
),
moments as (
    select distinct e.content_id, time_bucket(interval 10 seconds, e.time_written) as bucket
    from raw_cluster_log e
    join mute using (content_id)
    where regexp_matches(e.text, 'is moving from cluster node|has transitioned from state|is about to succeed|was removed from the active failover cluster membership|shutting down because quorum was lost|TransitionToState|bring clustered role')
),
noted as (
    select distinct unnest([time_bucket(interval 10 seconds, time::timestamp) - interval 10 seconds,
                            time_bucket(interval 10 seconds, time::timestamp),
                            time_bucket(interval 10 seconds, time::timestamp) + interval 10 seconds]) as bucket
    from messages
    where topic in ('replica_state', 'lease', 'cluster', 'connection', 'ag_failure') and time is not null
),
offsets as (
    select 0 as minutes
    union
    select distinct offset_minutes from clocks where offset_minutes is not null
),
met as (
    select m.content_id, o.minutes, count(*) as n
    from moments m
    cross join offsets o
    semi join noted t on t.bucket = m.bucket - to_minutes(o.minutes)
    group by all
),
ranked as (
    select *, lead(n, 1, 0) over (partition by content_id order by n desc, minutes) as next,
           row_number() over (partition by content_id order by n desc, minutes) as place
    from met
)
select m.capture_id, m.content_id, timestamp '0001-01-02', timestamp '9999-12-31', null, null, r.minutes,
       concat('what ERRORLOGs note of the same moments (', r.n, ' of them)'), 0.8
from ranked r
join mute m using (content_id)
where r.place = 1 and r.n >= 3 and r.n >= 3 * r.next;
