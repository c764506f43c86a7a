-- Which of them are one incident? What shares a host or a group, in one stretch of time.
with joined as (
    select p.*, k.number
    from scratch.incident_parts p
    join (select unnest($island::bigint[]) as island, unnest($host::varchar[]) as host_id, unnest($other::varchar[]) as other,
                 unnest($ag::varchar[]) as ag, unnest($number::bigint[]) as number) k
      on k.island = p.island and k.host_id is not distinct from p.host_id and k.other is not distinct from p.other
     and k.ag is not distinct from p.ag
),
ranked as (
    select *, row_number() over (partition by number order by list_position(['failover', 'standstill', 'restart'], kind) nulls last, moment, kind, host_id, line) as place
    from joined
),
named as (
    select number,
           list_sort(list_distinct(list_filter(flatten([list(host_id), list(other)]), lambda h: h is not null and h <> ''))) as hosts,
           list_sort(list_distinct(list(ag) filter (ag is not null and ag <> ''))) as ags
    from joined
    group by number
)
select row_number() over (order by min(moment), number) as incident_id,
       min(moment) as start, max(until) as "end", any_value(n.ags) as ags, any_value(n.hosts) as hosts,
       arg_min(case kind when 'failover' then 'failover' when 'standstill' then 'standstill' when 'restart' then 'restart'
                         when 'connection_timeout' then 'disconnect'
                         else if(kind like 'lease%', 'lease', if(kind like 'node%' or kind like 'fence%' or kind in ('quorum_lost', 'heartbeats_missed', 'udp_lost', 'join_failed', 'cluster_stopped'), 'cluster', 'health')) end,
               case kind when 'failover' then 0 when 'standstill' then 1 when 'restart' then 2 when 'quorum_lost' then 3
                         when 'node_offline' then 3 when 'node_removed' then 3 when 'fenced' then 3 when 'lease_expired' then 4 when 'connection_timeout' then 6 else 5 end) as kind,
       list(failover_id order by failover_id) filter (failover_id is not null) as failovers,
       count(*) as parts_n,
       list({'time': moment, 'host_id': host_id, 'kind': kind, 'text': text, 'source': source, 'content_id': content_id, 'line': line}
            order by moment, kind, host_id) filter (place <= 100) as parts
from ranked
join named n using (number)
group by number
order by incident_id;
