-- What did the redo of each server wait for, while it had secondaries?
-- Only intervals of wait statistics that lie within a role of secondary: what was waited for then, by type. Of a server
-- whose role nothing tells, only waits count that nothing but redo has.
-- null: start, end, n
with kinds as (
    select unnest($types::varchar[]) as wait_type, unnest($causes::varchar[]) as cause
),
timed as (
    select *, time - to_milliseconds((seconds * 1000)::bigint) as start
    from waits
    where host_id is not null and time_local is not null and seconds > 0
),
placed as (
    select w.*, exists (
        from roles r
        where r.host_id = w.host_id and r.role = 'SECONDARY'
          and if(w.time is null or (r.start is null and r."end" is null and coalesce(r.start_local, r.end_local) is not null),
                 coalesce(r.start_local, '-infinity'::timestamp) <= w.start_local
                     and coalesce(r.end_local, 'infinity'::timestamp) >= w.time_local,
                 coalesce(r.start, '-infinity'::timestamptz) <= w.start
                     and coalesce(r."end", 'infinity'::timestamptz) >= w.time)) as is_secondary
    from timed w
),
within as (
    select * from placed w
    where is_secondary
       or (w.wait_type in (select wait_type from kinds where cause <> 'readers')
           and not exists (from roles r where r.host_id = w.host_id and r.role in ('PRIMARY', 'SECONDARY')))
),
long as (
    select host_id, sum(seconds) as seconds, min(start) as start, max(time) as "end", min(start_local) as start_local,
           max(time_local) as end_local, count(*) as intervals, bool_and(is_secondary) as is_secondary
    from (select distinct host_id, sql_instance, start, time, start_local, time_local, seconds, is_secondary from within)
    group by host_id
)
select l.*, k.cause, w.wait_type, sum(w.waiting_tasks)::bigint as n, sum(w.wait_ms)::double as wait_ms,
       coalesce(arg_max(c.path || coalesce(' line ' || w.line, ''), w.wait_ms), 'not captured') as place
from long l
join within w on w.host_id = l.host_id
join kinds k on k.wait_type = w.wait_type
left join contents c on c.content_id = w.content_id
group by all
order by l.host_id, sum(w.wait_ms) desc, w.wait_type;
