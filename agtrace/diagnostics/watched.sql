-- For how long was each host watched by each source, from its first record to its last?
-- null: seconds
select host_id, source,
       epoch(max(coalesce(last::timestamp, last_local)) - min(coalesce(first::timestamp, first_local))) as seconds
from coverage
group by all
order by all;
