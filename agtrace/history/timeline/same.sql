-- Which of these tell the same event? What two files say of one host within five seconds (a starved server writes one much later than the other), of the same kind and in
-- the same words (of states: from the same to the same), is one event; a file that says it twice means two.
update scratch.timeline_told t
set ag = (select min(a.ag) from scratch.timeline_groups a where contains(t.text, a.ag))
where t.ag is null
  and t.kind in ('lease_expired', 'lease_no_signal', 'lease_stopped', 'lease_no_cluster_signal',
                 'lease_renewal_failed', 'lease_not_valid', 'ag_failed', 'failover_refused', 'lease_offline',
                 'database_failed', 'resource_offline', 'preparing_primary', 'preparing_resolving', 'connected');

-- By numbers of rows: what they say is read once it is known which belong together.
create or replace table scratch.timeline_same as
with placed as (
    select rowid as id, host_id, kind, rank, content_id, line, source, witness,
           epoch_us(coalesce(time::timestamp, time_local)) as us,
           hash(case
               when kind = 'replica_state' then concat_ws('|', ag, before, after)
               when kind in ('lease_expired', 'ddl', 'resource_state', 'not_alive', 'component_state', 'node_removed',
                             'node_left') then concat_ws('|', kind, after, if(kind in ('ddl', 'component_state'), text, ''))
               when kind = 'group_moved' then concat_ws('|', ag, replica, after)
               else coalesce(left(trim(split_part(text, '[hadrag] ', -1)), 200),
                             concat_ws('|', ag, replica, database, before, after))
           end) as words
    from scratch.timeline_told
    where time is not null or time_local is not null
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
select words, list(id) as ids
from counted
group by host_id, kind, words, island, n;
