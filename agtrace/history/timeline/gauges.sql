-- Which files hold a gauge of processors that never moves from its end? SQL Server on Linux shows a machine that is
-- always busy, and an idle one when it is asked first. A file with few samples is as its host's others are.
create or replace table scratch.gauges as
with counted as (
    select content_id, host_id, count(*) as n, bool_or(machine > 0 and machine < 100) as moves,
           bool_or(sql > 0 and sql < 100) as sql_moves
    from (/* samples */)
    where machine is not null
    group by content_id, host_id
),
judged as (
    select *, bool_or(not moves and n >= $gauge_samples) over (partition by host_id) as is_known
    from counted
)
select content_id,
       not moves and (n >= $gauge_samples or is_known or list_contains($linux::varchar[], host_id)) as is_still,
       not coalesce(sql_moves, false) as is_sql_still
from judged;
