-- What does the primary tell of each block that it captured for a replica, and of each time that it did so?
-- A block is captured again after a reconnect: every time is an attempt, from its capture to the next one.
create or replace table scratch.block_captures as
with keyed as (
    select h, db, replica_id, id, any_value(ag_id) as ag_id, max(sectors) as sectors,
           list_sort(list_distinct(list(began_us) filter (mode = 1))) as begun,
           list_sort(list_distinct(list(at_us) filter (mode = 2))) as done
    from scratch.block_capture
    where id is not null and db is not null and replica_id is not null and mode in (1, 2)
    group by h, db, replica_id, id
),
begins as (
    select *, case when len(begun) >= coalesce(len(done), 0) then begun else done end as starts from keyed
),
attempts as (
    select *, unnest(range(1, len(starts) + 1)) as attempt from begins
)
select h, db, replica_id, id, ag_id, sectors, attempt::integer as attempt,
       starts[attempt] as start_us, starts[attempt + 1] as until_us,
       case when attempt = 1 then null else starts[attempt] end as since_us,
       scratch.first_in(begun, starts[attempt], starts[attempt + 1]) as t_begun,
       scratch.first_in(done, starts[attempt], starts[attempt + 1]) as t_captured
from attempts;

-- The log's own flush, on either host, and the log pool.
create or replace table scratch.block_flushes as
with told as (
    select f.h, d.db, id, f.at_us as started, null::bigint as ended, null::bigint as pushed, f.written_bytes
    from scratch.block_flush_start f join scratch.block_databases d using (h, database_id)
    union all
    select f.h, d.db, id, null, f.at_us, null, f.written_bytes
    from scratch.block_flush_complete f join scratch.block_databases d using (h, database_id)
    union all
    select f.h, d.db, id, null, null, f.began_us, null
    from scratch.block_pushed f join scratch.block_databases d using (h, database_id)
)
select h, db, id, max(written_bytes) as written_bytes,
       list_sort(list(started) filter (started is not null)) as started,
       list_sort(list(ended) filter (ended is not null)) as ended,
       list_sort(list(pushed) filter (pushed is not null)) as pushed
from told group by h, db, id;

-- A compression says which block and database, and not always for which replica: it is done once for all.
create or replace table scratch.block_compressions as
select c.h, d.db, id, list_sort(list(c.at_us)) as done,
       max(c.compressed_bytes) as compressed_bytes, max(c.uncompressed_bytes) as uncompressed_bytes
from scratch.block_compression c join scratch.block_databases d using (h, database_id)
group by all;

-- The end of sending names neither database nor replica: it belongs to the capture that lies where it says
-- that its work began. A block is captured for all replicas within microseconds, often the same one: where it was
-- sent as often as it was captured, sends and captures belong together in order of their beginnings. Where one
-- was lost each keeps the nearest of the other, and captures that are as near as another are left open.
create or replace table scratch.block_sends as
with sends as (
    select h, id, at_us, began_us, row_number() over (partition by h, id order by began_us, at_us) as place,
           count(*) over (partition by h, id) as n
    from scratch.block_send
),
captured as (
    select h, id, db, replica_id, attempt, start_us, until_us, count(*) over (partition by h, id) as n,
           row_number() over (partition by h, id order by start_us, t_captured, replica_id, db, attempt) as place
    from scratch.block_captures
),
in_order as (
    select s.h, s.id, c.db, c.replica_id, c.attempt, s.at_us
    from sends s join captured c using (h, id, n, place)
    where s.at_us >= c.start_us - 1000
),
near as (
    select s.h, s.id, s.at_us, s.began_us, c.db, c.replica_id, c.attempt,
           abs(s.began_us - c.start_us) as apart
    from sends s join captured c using (h, id)
    where s.n <> c.n and s.at_us >= c.start_us - 1000 and (c.until_us is null or s.at_us < c.until_us)
),
of_sends as (
    select *, count(*) over (partition by h, id, at_us, began_us, apart) as as_near from near
    qualify row_number() over (partition by h, id, at_us, began_us order by apart, replica_id, db) = 1
)
select h, db, replica_id, id, attempt, at_us as t_sent from in_order
union all
select h, db, replica_id, id, attempt, arg_min(at_us, apart) from of_sends where as_near = 1 group by all;
