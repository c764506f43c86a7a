-- Which version ran on each server, as its last start says, and what do all of its starts agree on?
create or replace table scratch.backup_servers as
with told as (
    select f.host_id, c.sql_instance, f.key, arg_max(f.value, f.time_local) as value,
           count(distinct f.value) = 1 as is_same
    from facts f join captures c using (capture_id)
    where f.topic = 'startup'
      and f.key in ('product_version', 'product', 'level', 'edition', 'os', 'logical_processors', 'memory_mb')
    group by all
)
select host_id, sql_instance,
       max(value) filter (key = 'product_version') as version,
       max(value) filter (key = 'product_version' and is_same) as only_version,
       max(value) filter (key = 'product' and is_same) as product,
       max(value) filter (key = 'level' and is_same) as level,
       max(value) filter (key = 'edition' and is_same) as edition,
       max(value) filter (key = 'os' and is_same) as os,
       max(value) filter (key = 'logical_processors' and is_same) as processors,
       max(value) filter (key = 'memory_mb' and is_same) as memory_mb
from told
group by host_id, sql_instance;
