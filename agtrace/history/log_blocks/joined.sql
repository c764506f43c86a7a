-- Which blocks were seen on both sides, and with which instants? One row per block, replica and attempt.
-- What a session does not capture at all (a kind of event) is no loss: neighbouring instants stand for it. An event
-- that is missing where the others of its kind are there was lost, and what rests on it is not known.
create or replace table scratch.block_has as
with counted as (
    select h, db, count(*) as blocks from (
        select h, db, id from scratch.block_captures union select h, db, id from scratch.block_receptions
    ) group by all
),
kinds as (
    select h, db, 'compression' as kind, count(*) as n from scratch.block_compressions group by all
    union all select h, db, 'decompression', count(*) from scratch.block_decompressions group by all
    union all select h, db, 'flush', count(*) from scratch.block_flushes where ended is not null group by all
    union all select h, db, 'lsn_send', count(*) from scratch.block_lsn_sends group by all
)
select h, db,
       coalesce(max(n) filter (kind = 'compression'), 0) > 0.5 * any_value(blocks) as compression,
       coalesce(max(n) filter (kind = 'decompression'), 0) > 0.5 * any_value(blocks) as decompression,
       coalesce(max(n) filter (kind = 'flush'), 0) > 0.2 * any_value(blocks) as flush,
       coalesce(max(n) filter (kind = 'lsn_send'), 0) > 0.2 * any_value(blocks) as lsn_send
from counted left join kinds using (h, db)
group by h, db;

create or replace table scratch.block_primary as
with sides as (
    select c.*, s.t_sent, f.started, f.ended, f.pushed, f.written_bytes, x.done as compressed,
           x.compressed_bytes, x.uncompressed_bytes, v.ack, v.next_id, a.received, a.processed,
           k.commits, k.t_committed, k.took_us, has.compression as has_compression, has.flush as has_flush
    from scratch.block_captures c
    left join scratch.block_sends s using (h, db, replica_id, id, attempt)
    left join scratch.block_flushes f using (h, db, id)
    left join scratch.block_compressions x using (h, db, id)
    left join scratch.block_covered v using (db, replica_id, id)
    left join scratch.block_acks_in a on a.h = c.h and a.db = c.db and a.replica_id = c.replica_id and a.ack = v.ack
    left join scratch.block_commits k on k.h = c.h and k.db = c.db and k.id = c.id and c.attempt = 1
    left join scratch.block_has has on has.h = c.h and has.db = c.db
),
picked as (
    select * exclude (started, ended, pushed, compressed, received, processed),
           scratch.first_in(started, since_us, until_us) as t_flush_start,
           scratch.first_in(ended, since_us, until_us) as t_flushed,
           scratch.first_in(pushed, since_us, until_us) as t_pushed,
           scratch.first_in(compressed, since_us, until_us) as t_compressed,
           scratch.first_in(received, start_us, until_us) as t_ack_received,
           scratch.first_in(processed, start_us, until_us) as t_ack_processed
    from sides
)
select *, least(t_begun, t_pushed, t_flush_start) as t_first from picked;

-- Hours of a session leave no room for what is not needed any more.
drop table scratch.block_captures;
drop table scratch.block_compressions;
drop table scratch.block_sends;
drop table scratch.block_acks_in;
drop table scratch.block_commits;

create or replace table scratch.block_secondary as
with sides as (
    select r.*, f.started, f.ended, f.written_bytes, x.done as decompressed, x.usual,
           x.compressed_bytes, x.uncompressed_bytes, v.ack, v.next_id, o.ready, o.sent, l.sent as lsn_sent,
           has.flush as has_flush, has.lsn_send as has_lsn_send, has.decompression as has_decompression
    from scratch.block_receptions r
    left join scratch.block_flushes f using (h, db, id)
    left join scratch.block_decompressions x using (h, db, id)
    left join scratch.block_covered v using (db, replica_id, id)
    left join scratch.block_acks_out o on o.h = r.h and o.db = r.db and o.ack = v.ack
    left join scratch.block_lsn_sends l on l.h = r.h and l.db = r.db and l.ack = v.ack
    left join scratch.block_has has on has.h = r.h and has.db = r.db
)
select * exclude (started, ended, decompressed, usual, ready, sent, lsn_sent),
       scratch.last_of(decompressed, usual, since_us, until_us) as t_decompressed,
       scratch.first_in(started, since_us, until_us) as t_replica_flush_start,
       case when has_flush then scratch.first_in(ended, since_us, until_us)
            else scratch.first_in(ready, since_us, until_us) end as t_hardened,
       case when has_lsn_send then scratch.first_in(lsn_sent, t_received, until_us)
            else scratch.first_in(sent, since_us, until_us) end as t_ack_sent
from sides;

drop table scratch.block_flushes;
drop table scratch.block_receptions;
drop table scratch.block_decompressions;
drop table scratch.block_acks_out;
drop table scratch.block_covered;
drop table scratch.block_lsn_sends;
drop table scratch.block_has;
