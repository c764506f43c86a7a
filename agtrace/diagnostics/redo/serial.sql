-- On which servers did trace flag 3459 make redo serial, and how many threads of parallel redo were told?
select host_id, bool_or(is_on) as is_serial, any_value(path || coalesce(' line ' || line, '')) as place
from trace_flags
where flag = 3459
group by all
order by 1;
