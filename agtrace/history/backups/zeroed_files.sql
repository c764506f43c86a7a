-- Which files were filled with zeros, how long did it take, and during which operation?
with zeroed as (
    select chain, session, seq, time_local, time, fields['event'] as event, fields['path'] as path,
           try_cast(fields['bytes'] as bigint) as bytes,
           try_cast(fields['elapsed_ms'] as double) / 1000 as stated_s
    from scratch.backup_lines where topic = 'zeroing'
),
begun as (
    select *, lead(seq) over (partition by session, path order by seq) as next_seq
    from zeroed where event = 'started'
),
done as (select * from zeroed where event = 'completed'),
-- The completion that follows, unless the same file is begun anew before it.
paired as (
    select b.*, case when d.seq < coalesce(b.next_seq, 9e18) then d.time_local end as done_local,
           case when d.seq < coalesce(b.next_seq, 9e18) then d.stated_s end as done_stated_s
    from begun b
    asof left join done d on d.session = b.session and d.path = b.path and b.seq <= d.seq
)
select f.host_id, f.sql_instance, f.content_id, p.seq % 1000000000000 as line, p.path, p.bytes,
       p.time_local, p.time,
       coalesce(p.done_stated_s, epoch(p.done_local - p.time_local)) as seconds,
       regexp_matches(p.path, '(?i)\.(mdf|ndf)\s*$') as is_data,
       case when p.seq <= m.seq then m.operation end as operation,
       case when p.seq <= m.seq then m.database end as database
from paired p
join scratch.backup_files f on f.file = p.seq // 1000000000000
asof left join (
    select t.session, o.first_seq, o.seq, o.operation, o.database
    from scratch.backup_measured o join scratch.backup_traces t using (trace)
) m
  on m.session = p.session and p.seq >= m.first_seq
order by p.seq;
