-- What do the ERRORLOGs say about each trace flag: at every start of the server, and by DBCC? And what
-- does a look at the server (DBCC TRACESTATUS in a support output)?
-- A log that was only cycled is no start, though it may repeat the parameters: they tell nothing
-- where anything else was said before.
with stated as (
    select f.* replace (f.time - to_microseconds(coalesce(k.ahead_us, 0)) as time)
    from facts f left join reference_clock k using (host_id)
    where f.topic in ('startup', 'startup_flag', 'trace_flag')
),
starts as (
    select f.content_id, f.item, any_value(f.host_id) as host_id, min(f.time) as time,
           min(f.line) filter (f.key = 'startup_parameter') as line,
           f.content_id in (select content_id from messages where topic = 'reinitialized') as is_cycled
    from stated f
    where f.topic in ('startup', 'startup_flag')
    group by f.content_id, f.item
    having bool_or(f.key = 'startup_parameter')
),
-- The parameters of a start that name a flag, and DBCC.
named as (
    select s.content_id, s.host_id, s.time, f.flag, f.line, true as is_on, s.is_cycled,
           'start-up parameter -T' || f.flag as what, s.item
    from starts s
    join (
        select content_id, item, try_cast(key as integer) as flag, min(line) as line
        from stated
        where topic = 'startup_flag'
        group by all
    ) f using (content_id, item)
    union all
    select distinct content_id, host_id, time, try_cast(key as integer), line, value = 'on', false,
           if(value = 'on', 'DBCC TRACEON (', 'DBCC TRACEOFF (') || try_cast(key as integer) || ')', null
    from stated
    where topic = 'trace_flag' and try_cast(key as integer) is not null
    union all
    select distinct content_id, host_id, time, item, line, true, false, 'DBCC TRACESTATUS, globally on', null
    from stated
    where topic = 'trace_flag' and key = 'global' and value = '1'
),
-- A start whose parameters do not name a flag has it off. Of a flag that nobody asks about only
-- those starts are told that can change what is known: the host's first, the first after the flag
-- was named, and the first after something was left out. A log may name thousands of flags and starts.
told as (
    select s.content_id, s.item, a.flag
    from starts s, (select unnest($asked::integer[]) as flag) a
    union
    select f.content_id, f.item, n.flag
    from named n
    join (select distinct on (host_id) * from starts where time is not null order by host_id, time) f
      using (host_id)
    union
    select s.content_id, s.item, n.flag
    from named n
    asof join starts s on s.host_id = n.host_id and n.time < s.time
    union
    select s.content_id, s.item, n.flag
    from (select distinct host_id, flag from named) n
    join log_gaps g using (host_id)
    asof join starts s on s.host_id = n.host_id and g."end" <= s.time
    where not g.is_filled
),
said as (
    select content_id, host_id, time, flag, line, is_on, is_cycled, what from named
    union all
    select s.content_id, s.host_id, s.time, t.flag, s.line, false, s.is_cycled,
           'start-up parameters without -T' || t.flag
    from told t
    join starts s using (content_id, item)
    anti join named n on n.content_id = t.content_id and n.item = t.item and n.flag = t.flag
),
known as (
    select *, min(time) over (partition by host_id, flag) as first_time
    from said
    where host_id is not null and time is not null and flag is not null
),
telling as (
    select *, lead(time) over (partition by host_id, flag order by time, line) as next_time
    from known
    where not is_cycled or (is_on and first_time = time)
),
-- Where a collector left something out of the log, the flag may have been set there.
left_out as (
    select t.host_id, t.time, min(greatest(t.time, coalesce(g.start, t.time))) as stop
    from (select distinct host_id, time from telling) t
    join log_gaps g on g.host_id = t.host_id and not g.is_filled and t.time < coalesce(g."end", 'infinity')
    group by all
),
-- A server that stopped may have started again with other flags, in a log that was not captured.
stopped as (
    select m.host_id, min(m.time) as time
    from log_messages m
    left join (select host_id, max(time) as time from starts group by host_id) s using (host_id)
    where m.topic = 'stop' and m.time > coalesce(s.time, '-infinity')
    group by m.host_id
)
select k.host_id, k.flag, k.is_on, k.time as start,
       least(k.next_time, g.stop, if(e.time > k.time, e.time, null)) as "end",
       k.what, k.content_id, c.path, k.line
from telling k
left join left_out g using (host_id, time)
left join stopped e using (host_id)
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
order by k.host_id, k.flag, k.time, k.line;
