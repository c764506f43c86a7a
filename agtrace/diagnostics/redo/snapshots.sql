-- What did tasks of redo wait for at looks at each server, how many of them at a look at most, and for how long?
-- null: wait_ms, start, end, start_local, end_local
with kinds as (
    select unnest($types::varchar[]) as wait_type, unnest($causes::varchar[]) as cause
),
seen as (
    select h.capture_id, coalesce(h.host_id, '') as host_id, h.time, h.time_local, k.cause, h.wait_type, count(*) as tasks, max(h.wait_ms) as wait_ms,
           min(coalesce(c.path, 'a look') || coalesce(' line ' || h.line, '')) as place
    from hadr_requests h
    join kinds k using (wait_type)
    left join contents c on c.content_id = h.content_id
    where k.cause in ('page_table', 'turns')
    group by all
)
select host_id, cause, list(distinct wait_type order by wait_type) as types, count(*) as looks, max(tasks) as tasks, max(wait_ms) as wait_ms,
       min(time) as start, max(time) as "end", min(time_local) as start_local, max(time_local) as end_local,
       arg_max(place, tasks) as place
from seen
group by host_id, cause
qualify row_number() over (partition by host_id order by max(tasks) desc, cause) = 1
order by host_id;
