-- Which names do the ids of groups, replicas and databases have, and how does each replica commit, as the last
-- look at a server has it? An id with two names says nothing.
create or replace table scratch.block_names as
select kind, id, min(name) as name
from ag_names where name <> ''
group by kind, id having count(distinct lower(name)) = 1;

create or replace table scratch.block_modes as
select lower(replica_id) as replica_id, lower(ag) as ag, upper(replica) as replica,
       case when availability_mode ilike 'async%' then 'asynchronous'
            when availability_mode ilike 'sync%' then 'synchronous' end as mode,
       coalesce(time, time_local at time zone 'UTC') as looked_at
from replicas where availability_mode is not null;
