-- What was observed of each member, moment by moment? A table, for it is read several times.
-- A quotient needs both sides at the same moment; a change is per second since the row before.
create or replace table scratch.percentile_observed as
with chosen as (
    select p.role, p.member, p.pair, p.grp, p.content_no, s.tick, s.time, s.time_local, s.value
    from samples s
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
