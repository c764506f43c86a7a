-- Which of these tell the same event? What two files say of one host within five seconds (a starved server writes one much later than the other), of the same kind and in
-- the same words (of states: from the same to the same), is one event; a file that says it twice means two.
with named as (
    select * exclude (ag), coalesce(ag, (
               select min(a.ag) from scratch.timeline_groups a
               where t.kind in ('lease_expired', 'lease_no_signal', 'lease_stopped', 'lease_no_cluster_signal',
                                'lease_renewal_failed', 'lease_not_valid', 'ag_failed', 'failover_refused', 'lease_offline',
                                'database_failed', 'resource_offline', 'preparing_primary', 'preparing_resolving', 'connected')
                 and contains(t.text, a.ag))) as ag
    from scratch.timeline_told t
),
placed as (
    select n.*, epoch_us(coalesce(n.time::timestamp, n.time_local)) as us,
           hash(case
               when kind = 'replica_state' then concat_ws('|', ag, before, after)
               when kind in ('lease_expired', 'ddl', 'resource_state', 'not_alive', 'component_state', 'node_removed',
                             'node_left') then concat_ws('|', kind, after, if(kind in ('ddl', 'component_state'), text, ''))
               when kind = 'group_moved' then concat_ws('|', ag, replica, after)
               else coalesce(left(trim(split_part(text, '[hadrag] ', -1)), 200),
                             concat_ws('|', ag, replica, database, before, after))
           end) as words
    from named n
    where n.time is not null or n.time_local is not null
),
gaps as (
    select *, (us - lag(us) over same) > 5000000 as is_new
    from placed
    window same as (partition by host_id, kind, words order by us, rank, content_id, line)
),
islands as (
    select *, count(if(is_new, 1, null)) over (partition by host_id, kind, words order by us, rank, content_id, line) as island
    from gaps
),
counted as (
    select *, row_number() over (partition by host_id, kind, words, island, source, witness order by us, content_id, line) as n
    from islands
)
select arg_min(time, (rank, us, content_id, line)) as time,
       max(until) as "end",
       min(time_local) as time_local, max(ag) as ag, host_id,
       null::varchar as sql_instance, max(replica) as replica, max(database) as database, kind,
       max(before) as before, max(after) as after, max(value) as value, max(unit) as unit,
       max(sql_percent) as sql_percent, max(thing) as thing,
       arg_min(text, (rank, us, content_id, line)) as text,
       arg_min(ahead_us, (rank, us, content_id, line)) / 1000 as skew_ms,
       list({'source': source, 'host_id': witness, 'content_id': content_id, 'line': line, 'time': own_time}
            order by rank, us, content_id, line) as witnesses
from counted
group by host_id, kind, words, island, n
order by min(us), min(rank), host_id, min(line), kind, max(value) desc nulls last, words;
