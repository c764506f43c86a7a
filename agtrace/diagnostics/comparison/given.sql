-- Which labelled windows are there?
select run_id, label, factors, start, "end", source from runs order by start, run_id;
