-- Which databases of which replicas were suspended at the last snapshot that shows them, why, and since when at least?
-- A message that movement resumed after the snapshot ends it.
-- null: ag, replica, replica_id, database, database_id, host_id, reason, first, first_local, last, last_local, hardened, lag_s, send_queue_kb, redo_queue_kb
with shown as (
    select d.*, coalesce(d.is_primary, p.replica is not null) as is_of_primary,
           coalesce(d.replica, if(d.is_local, d.host_id, d.replica_id), '') as who,
           coalesce(d."database", 'id ' || d.database_id, '') as which,
           coalesce(d.time::timestamp, d.time_local) as moment,
           coalesce(c.path, d.capture_id) || coalesce(' line ' || d.line, '') as place
    from database_states d
    left join captures c on c.capture_id = d.capture_id
    left join (select distinct capture_id, upper(replica) as replica from replicas where role = 'PRIMARY') p
      on p.capture_id = d.capture_id and p.replica = upper(coalesce(d.replica, if(d.is_local, d.host_id, null)))
    where d.is_suspended is not null
),
keyed as (
    select *, upper(regexp_replace(who, '^([^.\\]+)[^\\]*', '\1')) as who_key, lower(which) as which_key from shown
),
numbered as (
    select *, row_number() over (partition by who_key, which_key order by moment desc nulls last, capture_id, line desc) as newest,
           max(moment) filter (not is_suspended) over (partition by who_key, which_key) as last_moving
    from keyed
),
last as (
    select * from numbered where newest = 1 and is_suspended
),
since as (
    select l.who_key, l.which_key, arg_min(n.time, n.moment) as first, arg_min(n.time_local, n.moment) as first_local
    from last l
    join numbered n
      on n.who_key = l.who_key and n.which_key = l.which_key and n.is_suspended and (l.last_moving is null or n.moment > l.last_moving)
    group by all
)
select l.ag, l.replica, l.replica_id, l.who, l."database", l.database_id, l.host_id, upper(l.suspend_reason) as reason,
       coalesce(l.is_of_primary, false) as is_primary, coalesce(l.is_local, false) as is_own,
       s.first, s.first_local, l.time as last, l.time_local as last_local, l.last_hardened_local as hardened,
       l.secondary_lag_s as lag_s, l.log_send_queue_kb as send_queue_kb, l.redo_queue_kb as redo_queue_kb, l.place
from last l
left join since s on s.who_key = l.who_key and s.which_key = l.which_key
where not exists (
    from timeline t
    where t.kind = 'movement_resumed' and lower(t."database") = l.which_key
      and upper(split_part(coalesce(t.replica, t.host_id), '.', 1)) = l.who_key
      and coalesce(t.time::timestamp, t.time_local) > l.moment)
order by l.ag, l.who_key, reason, l.which_key;
