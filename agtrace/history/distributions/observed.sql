-- What was observed of each member, moment by moment? A table, for it is read several times.
-- A quotient needs both sides at the same moment; a change is per second since the row before.
create or replace table scratch.percentile_observed as
with chosen as (
    select role, member, pair, grp, content_no, tick, time, time_local, value
    from scratch.sampled('scratch.percentile_series') s
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
