-- Which edition does each host run?
select distinct host_id, value as edition
from facts
where topic = 'startup' and key = 'edition' and host_id is not null;
