-- What did each counter of perfmon show, by its canonical name?
select c.host_id, c.sql_instance, c.object, c.instance, c.counter, s.content_id, s.time, s.time_local, s.value
from samples s
join counters c using (counter_id)
where c.object is not null and c.counter is not null
