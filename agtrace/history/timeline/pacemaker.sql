-- What did the cluster manager of Linux do with resources and nodes: promoted, demoted, fenced, waited for in vain?
with events as (
    select content_id, item, min(line) as line, min(host_id) as witness, min(time) as time, min(time_local) as time_local,
           max(value) filter (key = 'kind') as kind, max(value) filter (key = 'resource') as resource,
           max(value) filter (key = 'operation') as operation, max(value) filter (key = 'node') as node,
           max(value) filter (key = 'by') as fenced_by, max(value) filter (key = 'result') as result,
           try_cast(max(value) filter (key = 'timeout_ms') as double) as timeout_ms,
           max(value) filter (key = 'text') as text
    from facts
    where topic = 'pacemaker_event'
    group by capture_id, content_id, item
)
select 'Pacemaker log' as source, 3 as rank, content_id, line, witness,
       -- Quorum is lost by the node that says so; all else is told of the node that it names.
       upper(split_part(if(kind = 'quorum_lost', coalesce(witness, node), node), '.', 1)) as host_id,
       time, time_local, null::varchar as ag, upper(split_part(fenced_by, '.', 1)) as replica, null::varchar as database,
       kind, null::varchar as before, coalesce(if(starts_with(kind, 'fence'), result, null), operation) as after,
       timeout_ms as value, if(timeout_ms is null, null, 'ms') as unit, left(text, 400) as text
from events
where kind is not null and node is not null;
