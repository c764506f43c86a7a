-- What became of each log block on its way to a replica: who, the instant of each hop, how long each took?
with spans as (
    select db, min(t_begun) as begun, max(t_begun) as ended from scratch.block_primary group by all
),
arrivals as (
    select h, db, min(t_received) as begun, max(t_received) as ended from scratch.block_secondary group by all
),
paired as (
    select coalesce(p.db, s.db) as db, coalesce(p.replica_id, s.replica_id) as replica_id,
           coalesce(p.id, s.id) as id, coalesce(p.attempt, s.attempt) as attempt,
           coalesce(p.ag_id, s.ag_id) as ag_id, p.h as primary_h, coalesce(s.h, r.h) as replica_h,
           p.h is not null and s.h is not null as joined,
           p.sectors, coalesce(p.next_id, s.next_id) as next_id,
           coalesce(p.sectors * 512, s.uncompressed_bytes, p.uncompressed_bytes, p.written_bytes, s.written_bytes) as bytes,
           coalesce(p.compressed_bytes, s.compressed_bytes) as compressed_bytes, p.commits, p.took_us,
           p.has_compression, p.has_flush as has_local_flush, s.has_decompression,
           p.t_first, p.t_flush_start, p.t_flushed, p.t_captured, p.t_compressed, p.t_sent,
           p.t_ack_received, p.t_ack_processed, p.t_committed,
           s.t_received, s.t_receive_done, s.t_decompressed, s.t_replica_flush_start, s.t_hardened, s.t_ack_sent
    from scratch.block_primary p
    full join scratch.block_secondary s using (db, replica_id, id, attempt)
    left join scratch.block_hosts r on r.replica_id = p.replica_id
),
compared as (
    select b.*, k.ahead, k.spread,
           case when joined then null
                when b.primary_h is null and sent.db is null or b.primary_h is not null and a.db is null
                    then 'not captured'
                when b.primary_h is not null and coalesce(t_sent, t_captured, t_first) + k.ahead not between a.begun and a.ended
                    then 'outside session'
                when b.primary_h is null and t_received - latest.ahead not between sent.begun and sent.ended
                    then 'outside session'
                else 'event lost' end as why_not,
           -- Compression is done once for all replicas: it may have been over before.
           if(t_compressed < t_captured, t_captured, t_compressed) as t_packed
    from paired b
    left join spans sent on sent.db = b.db
    left join arrivals a on a.h = b.replica_h and a.db = b.db
    left join scratch.block_skews k
      on k.primary_h = b.primary_h and k.replica_h = b.replica_h and k.stretch = coalesce(b.t_sent, b.t_captured, b.t_first) // 10000000
    left join (select replica_h, median(ahead) as ahead from scratch.block_skews group by all) latest
      on latest.replica_h = b.replica_h
),
hops as (
    select *,
           case when has_compression then t_packed else coalesce(t_packed, t_captured) end as t_ready,
           case when has_decompression then t_decompressed else coalesce(t_decompressed, t_receive_done) end as t_unpacked,
           -- greatest() leaves nulls out: an end that was not captured is no end.
           case when t_ack_processed is null or has_local_flush and t_flushed is null then null
                else greatest(t_ack_processed, t_flushed) end as t_done
    from compared
),
contents as (
    select h, min(host_id) as host_id,
           min(case when sql_instance in (null, '', 'MSSQLSERVER') or sql_instance is null then host_id
                    else host_id || '\' || sql_instance end) as node
    from scratch.block_contents group by h
),
databases as (
    select d.db, min(n.database_name) as name
    from (select h, database_id, database_name from scratch.block_commit
          union all select h, database_id, database_name from scratch.block_flush_start) n
    join scratch.block_databases d using (h, database_id)
    where n.database_name <> '' group by all
)
select g.name as ag, coalesce(dn.name, da.name) as database, b.db::varchar as group_database_id,
       p.host_id as primary_host, s.host_id as replica_host, coalesce(rn.name, s.node) as replica, b.replica_id::varchar as replica_id,
       coalesce(mi.mode, mn.mode) as commit_mode,
       b.id::decimal(20,0) as log_block_id,
       coalesce(b.id + b.sectors, b.next_id)::decimal(20,0) as next_log_block_id,
       b.attempt, b.bytes, b.compressed_bytes, b.commits,
       make_timestamptz(t_first) as t_first, make_timestamptz(t_flush_start) as t_flush_start,
       make_timestamptz(t_flushed) as t_flushed, make_timestamptz(t_captured) as t_captured,
       make_timestamptz(t_compressed) as t_compressed, make_timestamptz(t_sent) as t_sent,
       make_timestamptz(t_ack_received) as t_ack_received, make_timestamptz(t_ack_processed) as t_ack_processed,
       make_timestamptz(t_committed) as t_committed, make_timestamptz(t_received) as t_received,
       make_timestamptz(t_receive_done) as t_receive_done, make_timestamptz(t_decompressed) as t_decompressed,
       make_timestamptz(t_replica_flush_start) as t_replica_flush_start, make_timestamptz(t_hardened) as t_hardened,
       make_timestamptz(t_ack_sent) as t_ack_sent,
       if(b.joined, b.ahead, null) / 1e3 as skew_ms, if(b.joined, b.spread, null) / 1e3 as skew_spread_ms,
       (t_captured - t_first) / 1e3 as capture_ms,
       (t_packed - t_captured) / 1e3 as compression_ms,
       (t_sent - t_ready) / 1e3 as send_ms,
       ((t_received - t_sent) + (t_ack_received - t_ack_sent)) / 1e3 as network_ms,
       (t_receive_done - t_received) / 1e3 as receive_ms,
       (t_decompressed - t_receive_done) / 1e3 as decompression_ms,
       (t_hardened - t_unpacked) / 1e3 as remote_harden_ms,
       ((t_ack_sent - t_hardened) + (t_ack_processed - t_ack_received)) / 1e3 as acknowledgement_ms,
       (t_flushed - t_flush_start) / 1e3 as local_harden_ms,
       (t_done - t_first) / 1e3 as commit_ms,
       b.took_us / 1e3 as commit_wait_ms,
       (t_received - t_sent - b.ahead) / 1e3 as network_forward_ms,
       (t_ack_received - t_ack_sent + b.ahead) / 1e3 as network_return_ms,
       (t_ack_received - t_sent) / 1e3 as remote_ms,
       b.joined, b.why_not
from hops b
left join contents p on p.h = b.primary_h
left join contents s on s.h = b.replica_h
left join scratch.block_names g on g.kind = 'group' and g.id = b.ag_id
left join scratch.block_names dn on dn.kind = 'database' and dn.id = b.db
left join databases da on da.db = b.db
left join scratch.block_names rn on rn.kind = 'replica' and rn.id = b.replica_id
left join scratch.block_modes mi on mi.key = b.replica_id
left join scratch.block_modes mn on mn.key = lower(g.name) || '/' || upper(coalesce(rn.name, s.node))
order by b.db, b.replica_id, coalesce(t_first, t_received), b.id, b.attempt
