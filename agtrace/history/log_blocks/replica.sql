-- What does a replica tell of each block that it received, and of each time that it did so?
create or replace table scratch.block_receptions as
with keyed as (
    select h, db, id, any_value(ag_id) as ag_id, any_value(local_id) as replica_id,
           list_sort(list_distinct(list(began_us) filter (mode = 1))) as begun,
           list_sort(list_distinct(list(began_us) filter (mode = 2))) as whole,
           list_sort(list_distinct(list(at_us) filter (mode = 2))) as done
    from scratch.block_receive
    where id is not null and db is not null and mode in (1, 2)
    group by h, db, id
),
begins as (
    select *, case when len(begun) >= coalesce(len(done), 0) then begun else done end as starts from keyed
),
attempts as (
    select *, unnest(range(1, len(starts) + 1)) as attempt from begins
),
bounded as (
    -- The whole reception begins a few microseconds before its first event.
    select *, starts[attempt] - 1000 as low, starts[attempt + 1] - 1000 as high from attempts
)
select h, db, id, ag_id, replica_id, attempt::integer as attempt,
       case when attempt = 1 then null else low end as since_us, high as until_us,
       least(scratch.first_in(begun, low, high), scratch.first_in(whole, low, high)) as t_received,
       scratch.first_in(done, low, high) as t_receive_done
from bounded;

-- Two decompressions are told of a block, the last of them is the block's own: where fewer are left than usual,
-- nobody knows which one was lost.
create or replace table scratch.block_decompressions as
with blocks as (
    select c.h, d.db, id, list_sort(list(c.at_us)) as done,
           max(c.compressed_bytes) as compressed_bytes, max(c.uncompressed_bytes) as uncompressed_bytes
    from scratch.block_decompression c join scratch.block_databases d using (h, database_id)
    group by all
),
usual as (
    select h, db, mode(len(done)) as usual from blocks group by all
)
select * from blocks join usual using (h, db);

-- Which host is each replica?
create or replace table scratch.block_hosts as
select replica_id, arg_max(h, n) as h
from (select replica_id, h, count(*) as n from scratch.block_receptions where replica_id is not null group by all)
group by all;
