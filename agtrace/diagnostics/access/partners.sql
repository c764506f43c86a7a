-- Which other replicas does each server have, by their hosts: called how, of which group, connected since when, and what was
-- shown last? Who is one's other replica has it as its own, and is called as its host is.
-- null: since, last
with signs as (
    select *, row_number() over (order by kind <> 'snapshot', time nulls first, kind, replica, line) as place
    from connections
    where kind = 'snapshot' or time is not null
),
own as (
    select host_id, replica_host_id, arg_min(replica, place) as replica,
           coalesce(arg_min(ag, place) filter (ag <> ''), '') as ag,
           min(time) filter (kind not in ('connection_failed', 'snapshot')) as since,
           arg_max({'replica': replica, 'ag': ag, 'kind': kind, 'is_connected': is_connected, 'time': time},
                   (coalesce(time, '-infinity'), place)) as last
    from signs
    group by host_id, replica_host_id
)
from own
union all
select replica_host_id, host_id, host_id, ag, null, null
from own o
where not exists (from own p where p.host_id = o.replica_host_id and p.replica_host_id = o.host_id)
order by host_id, replica_host_id
