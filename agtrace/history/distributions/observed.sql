-- What was observed of each member, moment by moment, by the reference clock? A table, for it is read several times.
-- A quotient needs both sides at the same moment; a change is per second since the row before.
create or replace table scratch.percentile_observed as
with chosen as (
    select role, member, pair, grp, content_no, tick, time, time_local, value
    from (
        select s.* replace (s.time - to_microseconds(coalesce(k.ahead_us, 0)) as time)
        from scratch.sampled('scratch.percentile_series') s
        join counters c using (counter_id)
        left join reference_clock k on k.host_id = c.host_id
    ) s
    where {window}
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
