-- What did sp_server_diagnostics and the sessions show of some hosts in some spans?
-- null: processors, tasks, threadpool
with asked as (
    select unnest($numbers::integer[]) as number, unnest($hosts::varchar[]) as host_id,
           unnest($begins::timestamptz[]) as begins, unnest($ends::timestamptz[]) as ends
),
told as (
    select host_id, time, system_cpu_percent as processors, pending_tasks as tasks, null::double as threadpool
    from component_health
    where system_cpu_percent is not null or pending_tasks is not null
    union all
    select host_id, time, machine_percent, null, null from processor_minutes
    union all
    select host_id, time, null, null, ms from long_waits where wait_type = 'THREADPOOL'
)
select a.number, max(t.processors) as processors, max(t.tasks) as tasks, max(t.threadpool) as threadpool
from asked a
join told t on t.host_id = a.host_id and t.time between a.begins and a.ends
group by a.number
order by a.number
