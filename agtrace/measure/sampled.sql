-- What did perfmon sample of the series that a table or CTE lists by counter_id, with all of its columns? Nothing else
-- reads samples: what one log holds is read, by the clock of its host, without what a better log holds.
create or replace macro scratch.sampled(series) as table
select w.*, s.tick, s.time, s.time_local, s.value
from samples s
join query_table(series) w using (counter_id);
