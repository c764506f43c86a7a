-- Which database is each database_id of a host? Some events name one, some the other: those that name both
-- say it, else the same block at the same moment does. Two databases can have blocks of the same id: of those
-- that share about as many the one whose events lie closest is taken.
-- A hundred thousand blocks of a host tell as much as all of them.
create or replace table scratch.block_part as
select greatest(1, count(*) // 200000) as part
from (select id from scratch.block_capture union all select id from scratch.block_receive);

create or replace table scratch.block_databases as
with named as (
    select h, database_id, db from scratch.block_commit
    union all
    select h, database_id, db from scratch.block_sync_state
),
said as (
    select h, database_id, mode(db) as db from named
    where database_id is not null and db is not null group by all
),
numbered as (
    select h, database_id, id, at_us from scratch.block_flush_start
    where database_id is not null and hash(id) % (select part from scratch.block_part) = 0
    union all
    select h, database_id, id, at_us from scratch.block_pushed
    where database_id is not null and hash(id) % (select part from scratch.block_part) = 0
    union all
    select h, database_id, id, at_us from scratch.block_decompression
    where database_id is not null and hash(id) % (select part from scratch.block_part) = 0
),
moved as (
    select h, db, id, at_us from scratch.block_capture where db is not null and hash(id) % (select part from scratch.block_part) = 0
    union all
    select h, db, id, at_us from scratch.block_receive where db is not null and hash(id) % (select part from scratch.block_part) = 0
),
shared as (
    select n.h, n.database_id, m.db, count(*) as n, median(abs(n.at_us - m.at_us)) as apart
    from numbered n join moved m using (h, id)
    group by all
),
near as (
    select * from shared qualify 2 * n >= max(n) over (partition by h, database_id)
),
seen as (
    select h, database_id, arg_min(db, apart) as db from near group by all
)
select h, database_id, coalesce(s.db, n.db) as db
from said s full join seen n using (h, database_id);

create or replace macro scratch.first_in(times, low, high) as
    list_filter(times, lambda t: (low is null or t >= low) and (high is null or t < high))[1];
create or replace macro scratch.last_of(times, least, low, high) as
    case when len(list_filter(times, lambda t: (low is null or t >= low) and (high is null or t < high))) >= least
         then list_filter(times, lambda t: (low is null or t >= low) and (high is null or t < high))[-1] end;
