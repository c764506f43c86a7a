-- How often did each group fail over, how, and how long was it without a primary?
select ag, coalesce(mode, 'open') as mode, count(*)::bigint as n,
       list(seconds_without_primary) filter (seconds_without_primary is not null) as seconds
from failovers
group by all
order by all
