-- What was observed of each member, moment by moment, by the reference clock? A table, for it is read several times.
-- A quotient needs both sides at the same moment; a change is per second since the row before.
create or replace table scratch.percentile_observed as
with chosen as (
    select p.role, p.member, p.pair, p.grp, p.content_no, s.tick, s.time, s.time_local, s.value
    from (
        select v.counter_id, v.tick, v.time - to_microseconds(coalesce(k.ahead_us, 0)) as time, v.time_local, v.value
        from samples v join counters c using (counter_id) left join reference_clock k on k.host_id = c.host_id
    ) s
    join scratch.percentile_series p using (counter_id)
    where {start} and {end}
),
read as (
    {read}
),
divided as (
    {divided}
)
select grp, time, time_local, value * {scale} as value
from ({changed})
where value is not null;
