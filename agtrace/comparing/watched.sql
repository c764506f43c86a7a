-- For how many hours did the logs of some replica watch each group?
select r.ag, max(epoch(coalesce(c.last, c.last_local::timestamptz)) - epoch(coalesce(c.first, c.first_local::timestamptz)))
       / 3600 as hours
from coverage c
join (select distinct ag, host_id from roles where ag is not null) r using (host_id)
where c.source in ('ERRORLOG', 'AlwaysOn_health', 'cluster log')
group by r.ag
having hours > 0
order by r.ag
