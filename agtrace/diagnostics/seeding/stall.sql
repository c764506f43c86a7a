-- Where did each seeding stand still for longest: in its wait for a backup slot (is_wait), and in other states before the
-- copy or between reports of the copy? Of a wait: what ran meanwhile on that host and can have held the slot.
-- null: host, copied
with ends as (
    select seeding_id, "database", outcome <> 'running' as is_over, coalesce(copy_end, "end") as busy_until,
           copy_start, copy_end, unnest(['source', 'target']) as role, unnest([source_host, target_host]) as host,
           unnest([source_told_by, target_told_by]) as told_by
    from seedings
),
states as (
    select seeding_id, role, upper(state) = 'LIMIT_CONCURRENT_BACKUPS' as is_wait, state, start, seen_until as "end",
           last_value(state) over whole as last_state, last_value(seen_until) over whole as last_seen
    from seeding_states
    where layer = 'automatic'
    window whole as (partition by seeding_id, role order by start, seen_until
                     rows between unbounded preceding and unbounded following)
),
reports as (
    select seeding_id, role, time, transferred_bytes, max(time) over (partition by seeding_id, role) as last_time,
           coalesce(transferred_bytes = lag(transferred_bytes) over w, false) as is_same
    from seeding_progress
    window w as (partition by seeding_id, role order by time, transferred_bytes)
),
runs as (
    select *, count(if(not is_same, 1, null)) over (partition by seeding_id, role order by time, transferred_bytes
                                                  rows unbounded preceding) as run
    from reports
),
stood as (
    select seeding_id, role, is_wait, if(is_wait, 'LIMIT_CONCURRENT_BACKUPS', state) as state, start, "end",
           if(is_wait, upper(last_state) <> 'LIMIT_CONCURRENT_BACKUPS', "end" is distinct from last_seen) as is_over,
           null::bigint as copied
    from states
    where "end" is not null
      and upper(state) in ('LIMIT_CONCURRENT_BACKUPS', 'PENDING', 'CHECK_IF_SEEDING_NEEDED', 'SENDING_FILE_LIST')
    union all
    select seeding_id, role, false, 'the copy', min(time), max(time), max(time) <> any_value(last_time),
           any_value(transferred_bytes)
    from runs group by seeding_id, role, run having count(*) > 1
),
longest as (
    select s.seeding_id, s.is_wait, s.role, e.host, e."database", s.state, s.start, s."end", epoch(s."end" - s.start) as seconds,
           e.is_over or s.is_over as is_over, s.copied
    from stood s join ends e using (seeding_id, role)
    qualify row_number() over (partition by s.seeding_id, s.is_wait
                               order by s."end" - s.start desc, s.role, s.state = 'the copy', s.start) = 1
),
beside as (
    select l.seeding_id, 0 as kind, o.seeding_id as number,
           'seeding of ' || coalesce(nullif(o."database", ''), 'a database of unknown name') as what,
           o.copy_start as start, o.copy_end as "end", coalesce(l.host, '') as "where"
    from longest l
    join (select distinct * exclude (role, told_by) from ends where told_by is not null) o
      on o.host = l.host and o.seeding_id <> l.seeding_id
     and o.copy_start < l."end" and coalesce(o.busy_until, l."end") > l.start
    where l.is_wait and l.host <> ''
    union all
    select l.seeding_id, 1, b.operation_id, 'backup of ' || coalesce(b."database", 'None'), coalesce(b.start, b."end"), b."end",
           'ERRORLOG of ' || coalesce(l.host, 'None')
    from longest l
    join backups b on b.host_id is not distinct from l.host
     and coalesce(b.start, b."end") < l."end" and b."end" > l.start
    where l.is_wait and b.operation = 'backup'
      and not coalesce(b.media = 'VIRTUAL_DEVICE' and l."database" <> '' and lower(b."database") = lower(l."database"), false)
),
held as (
    select seeding_id, list({'what': what, 'start': start, 'end': "end", 'where': "where"} order by kind, number) as beside
    from beside group by seeding_id
)
select l.* exclude ("database"), if(l.is_wait, coalesce(h.beside, []), []) as beside
from longest l left join held h using (seeding_id)
order by l.seeding_id;
