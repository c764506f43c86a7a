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

create or replace table scratch.block_covered as
with blocks as (
    select db, replica_id, id from scratch.block_captures
    union
    select db, replica_id, id from scratch.block_receptions where replica_id is not null
)
select b.db, b.replica_id, b.id, a.ack,
       lead(b.id) over (partition by b.db, b.replica_id order by b.id) as next_id
from blocks b asof left join scratch.block_acks a
  on b.db = a.db and b.replica_id = a.replica_id and b.id < a.ack;

-- The end of sending an acknowledgement names no database: it is the one whose block came in where it says that
-- its work began.
create or replace table scratch.block_lsn_sends as
with near as (
    select s.h, s.id as ack, s.at_us, r.db, abs(s.began_us - r.t_received) as apart
    from scratch.block_lsn_send s
    join scratch.block_covered c on c.ack = s.id
    join scratch.block_receptions r on r.h = s.h and r.db = c.db and r.id = c.id and r.replica_id = c.replica_id
),
nearest as (
    select * from near qualify row_number() over (partition by h, ack, at_us order by apart, db) = 1
)
select h, db, ack, list_sort(list(at_us)) as sent from nearest group by all;
