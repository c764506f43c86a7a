-- Which network cards has each host, and what is the link of each, in bits per second?
select c.host_id, c.instance as card, max(s.value) as bits, min(p.path) as path
from counters c
join samples s using (counter_id)
left join (select content_id, min(path) as path from captures group by content_id) p on p.content_id = c.content_id
where c.object = 'Network Interface' and c.counter = 'Current Bandwidth'
  and c.host_id is not null and c.instance is not null
group by c.host_id, c.instance
order by c.host_id, c.instance;
