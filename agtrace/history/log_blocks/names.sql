-- Which names do the ids of groups, replicas and databases have? An id with two names says nothing.
create or replace table scratch.block_names as
select kind, id, min(name) as name
from ag_names where name <> ''
group by kind, id having count(distinct lower(name)) = 1;
