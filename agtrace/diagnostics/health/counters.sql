-- How busy were the processors, how slow the disks, how much memory was left, second by second (UTC)?
select c.host_id, c.object, c.counter, c.instance, s.time, s.value
from samples s
join counters c using (counter_id)
where s.time is not null and c.host_id is not null
