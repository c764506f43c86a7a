-- Which labelled windows are there, in order of time?
select *, epoch_us(start) as start_us, epoch_us("end") as end_us from runs order by start, run_id;
