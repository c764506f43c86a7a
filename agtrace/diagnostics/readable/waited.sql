-- How long did readers of each secondary wait for row versions (HADR_DATABASE_WAIT_FOR_TRANSITION_TO_VERSIONING)?
-- Intervals of wait statistics in which none waited count for nothing: the rate is that of the others.
with types as (select unnest($types::varchar[]) as wait_type),
within as (
    select w.*, w.time - to_milliseconds((w.seconds * 1000)::bigint) as start
    from waits w join types t using (wait_type)
    where w.host_id is not null and w.time is not null and w.seconds > 0 and w.waiting_tasks > 0
      and exists (
        from readable_roles r
        where r.host_id = w.host_id and r.role = 'SECONDARY'
          and coalesce(r."end", 'infinity') > w.time - to_milliseconds((w.seconds * 1000)::bigint)
          and coalesce(r.start, '-infinity') < w.time)
)
select w.host_id, w.wait_type, sum(w.waiting_tasks)::bigint as n, sum(w.wait_ms)::double as wait_ms,
       sum(w.seconds) as seconds, min(w.start) as start, max(w.time) as "end",
       arg_max(coalesce(c.path, 'a look') || coalesce(' line ' || w.line, ''), w.wait_ms) as place
from within w
left join contents c on c.content_id = w.content_id
group by all
order by 1, 2;
