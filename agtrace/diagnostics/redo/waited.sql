-- What did the redo of each server wait for, while it had secondaries?
-- Only intervals of wait statistics that lie within a role of secondary: what was waited for then, by type.
with kinds as (
    select unnest($types::varchar[]) as wait_type, unnest($causes::varchar[]) as cause
),
within as (
    select w.*, w.time - to_milliseconds((w.seconds * 1000)::bigint) as start
    from waits w
    where w.host_id is not null and w.time is not null and w.seconds > 0
      and exists (
        from roles r
        where r.host_id = w.host_id and r.role = 'SECONDARY'
          and coalesce(r.start, '-infinity'::timestamptz) <= w.time - to_milliseconds((w.seconds * 1000)::bigint)
          and coalesce(r."end", 'infinity'::timestamptz) >= w.time)
),
long as (
    select host_id, sum(seconds) as seconds, min(start) as start, max(time) as "end", count(*) as intervals
    from (select distinct host_id, sql_instance, start, time, seconds from within)
    group by host_id
)
select l.*, k.cause, w.wait_type, sum(w.waiting_tasks)::bigint as n, sum(w.wait_ms)::double as wait_ms,
       arg_max(c.path || ' line ' || w.line, w.wait_ms) as place
from long l
join within w on w.host_id = l.host_id
join kinds k on k.wait_type = w.wait_type
left join contents c on c.content_id = w.content_id
group by all
order by l.host_id, sum(w.wait_ms) desc, w.wait_type;
