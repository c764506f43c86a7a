-- What did each counter of perfmon show, by its canonical name?
select host_id, sql_instance, object, instance, counter, content_id, time, time_local, value
from scratch.sampled('counters')
where object is not null and counter is not null
