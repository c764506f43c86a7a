-- How does each replica commit while the session runs, as looks at a server have it? The last look until its end
-- says it, or the first one after it; where the two differ nobody knows. Replicas go by their id, or by the names of
-- group and server. Blocks have the clocks of their hosts, so looks get theirs again.
create or replace table scratch.block_modes as
with shown as (
    select replica_id, ag, replica, availability_mode as mode, time + to_microseconds(coalesce(k.ahead_us, 0)) as time
    from replicas left join reference_clock k using (host_id)
),
looks as (
    select lower(replica_id) as key, mode, time from shown
    union all
    select lower(ag) || '/' || upper(replica), mode, time from shown
),
span as (
    select max(us) as ended
    from (select max(t_begun) as us from scratch.block_primary union all select max(t_received) from scratch.block_secondary)
),
placed as (
    select key, time, epoch_us(time) > ended as is_after,
           case mode when 'SYNCHRONOUS_COMMIT' then 'synchronous' when 'ASYNCHRONOUS_COMMIT' then 'asynchronous' end as mode
    from looks, span where key is not null
),
sides as (
    select key, arg_max(mode, time) filter (not is_after) as before, arg_min(mode, time) filter (is_after) as later,
           case when count(distinct mode) = 1 then min(mode) end as only_one
    from placed group by key
)
select key, case when before <> later then null else coalesce(before, later, only_one) end as mode from sides;
