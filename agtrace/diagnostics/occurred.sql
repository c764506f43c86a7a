-- How many events of each kind does the timeline have, and when was the first?
-- null: first
select kind, count(*) as n, min(coalesce(time::timestamp, time_local)) as first, bool_and(time is not null) as is_utc
from timeline
group by kind;
