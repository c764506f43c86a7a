-- Which commits waited for each block of the primary? Their wait begins when the block's local flush ends: the
-- latest flush that had ended by then is theirs. Without flushes the block that they name is.
create or replace table scratch.block_waits as
select c.h, coalesce(c.db, d.db) as db, c.at_us, c.took_us, c.wait_block
from scratch.block_commit c left join scratch.block_databases d using (h, database_id)
where c.took_us > 0;

create or replace table scratch.block_commits as
with ends as (
    select h, db, id, unnest(ended) as ended from scratch.block_flushes
),
flushed as (
    select c.h, c.db, e.id, c.at_us, c.took_us
    from scratch.block_waits c asof join ends e
      on e.h = c.h and e.db = c.db and e.ended <= c.at_us - c.took_us + 500
    where c.at_us - c.took_us - e.ended < 1000000
),
named as (
    select c.h, c.db, c.wait_block as id, c.at_us, c.took_us
    from scratch.block_waits c
    where c.wait_block > 0 and (c.h, c.db) not in (select (h, db) from ends)
)
select h, db, id, count(*) as commits, max(at_us) as t_committed, avg(took_us) as took_us
from (select * from flushed union all select * from named)
group by h, db, id;
drop table scratch.block_waits;
