-- Which series tell of the wanted resources?
create or replace table scratch.usage_wanted as
with kinds as (
    select unnest($resource::varchar[]) as resource, unnest($object::varchar[]) as object,
           unnest($counter::varchar[]) as counter, unnest($factor::double[]) as factor,
           unnest($added::double[]) as added, unnest($is_gauge::boolean[]) as is_gauge,
           unnest($rank::bigint[]) as rank
)
select c.counter_id, c.content_id, c.host_id, coalesce(c.instance, '') as instance, c.sql_instance,
       k.resource, k.factor, k.added, k.is_gauge, k.rank
from counters c
join kinds k on c.object = k.object and c.counter = k.counter
where c.host_id is not null;
