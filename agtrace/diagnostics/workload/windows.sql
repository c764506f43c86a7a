-- Which labelled windows are there?
select run_id, label, factors, epoch_us(start) as start_us, epoch_us("end") as end_us, source
from runs
order by start;
