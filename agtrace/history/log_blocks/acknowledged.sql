-- Which acknowledgement covers each block, and when was it sent, received and processed?
-- It carries the id up to which (exclusively) the log is hard: that of the next block, or of a later one where
-- several blocks are acknowledged at once. Which ids were acknowledged is known from all events of both
-- hosts, so that a lost event does not let a later acknowledgement stand for it.
create or replace table scratch.block_acks_in as
select h, db, replica_id, id as ack,
       list_sort(list(began_us)) as received, list_sort(list(at_us) filter (mode = 2)) as processed
from scratch.block_harden_received
where id is not null and db is not null and replica_id is not null and mode in (1, 2)
group by h, db, replica_id, id;

create or replace table scratch.block_acks_out as
select h, db, id as ack,
       list_sort(list(began_us) filter (mode = 1)) as ready, list_sort(list(at_us) filter (mode in (2, 3))) as sent
from scratch.block_harden_sent
where id is not null and db is not null
group by h, db, id;

create or replace table scratch.block_acks as
select distinct db, replica_id, ack from (
    select db, replica_id, ack from scratch.block_acks_in
    union all
    select o.db, r.replica_id, o.ack from scratch.block_acks_out o join scratch.block_hosts r using (h)
);

-- From the last id to the first, the acknowledgement that was met last is the one above a block. (DuckDB joins
-- ASOF in a loop where it takes one side for small, and it is no good judge of these.)
create or replace table scratch.block_covered as
with blocks as (
    select db, replica_id, id from scratch.block_captures
    union
    select db, replica_id, id from scratch.block_receptions where replica_id is not null
),
merged as (
    select db, replica_id, id, null as ack, 0 as is_ack from blocks
    union all
    select db, replica_id, ack, ack, 1 from scratch.block_acks
),
met as (
    select db, replica_id, id, is_ack,
           last_value(ack ignore nulls) over (
               partition by db, replica_id order by id desc, is_ack rows unbounded preceding) as ack,
           lag(case is_ack when 0 then id end ignore nulls) over (
               partition by db, replica_id order by id desc, is_ack) as next_id
    from merged
)
select db, replica_id, id, ack, next_id from met where is_ack = 0;
drop table scratch.block_acks;

-- The end of sending an acknowledgement names no database: it is the one that had a block come in closest to where
-- it says that its work began. One acknowledgement can stand for thousands of blocks.
create or replace table scratch.block_lsn_sends as
with arrived as (
    select r.h, c.ack, r.db, r.t_received
    from scratch.block_covered c join scratch.block_receptions r using (db, replica_id, id)
    where c.ack is not null and r.t_received is not null
),
told as (
    select s.h, s.id as ack, s.at_us, s.began_us, d.db
    from scratch.block_lsn_send s join (select distinct h, ack, db from arrived) d on d.h = s.h and d.ack = s.id
),
merged as (
    select h, ack, db, t_received as us, t_received, null as at_us from arrived
    union all
    select h, ack, db, began_us, null, at_us from told
),
near as (
    select h, ack, db, at_us,
           least(us - last_value(t_received ignore nulls) over up, last_value(t_received ignore nulls) over down - us) as apart
    from merged
    window up as (partition by h, ack, db order by us, at_us nulls first rows unbounded preceding),
           down as (partition by h, ack, db order by us desc, at_us nulls first rows unbounded preceding)
),
nearest as (
    select * from near where at_us is not null
    qualify row_number() over (partition by h, ack, at_us order by apart, db) = 1
)
select h, db, ack, list_sort(list(at_us)) as sent from nearest group by all;
