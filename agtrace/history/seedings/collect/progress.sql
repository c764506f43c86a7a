-- What did each copy report as it went? The same report by two sessions counts once.
select c.number, r.time, r.transferred as transferred_bytes, coalesce(r.database_bytes, c.database_bytes) as database_bytes,
       r.rate as bytes_per_s, r.disk_wait_ms, r.network_wait_ms
from scratch.seeding_reports r join scratch.seeding_copies c using (copy)
where r.transferred is not null and r.is_timed
window w as (partition by c.number order by r.time, r._content_id, r._seq)
qualify not coalesce(
    r.time <= lag(r.time) over w + interval 1 second
    and (r.transferred, r.disk_wait_ms, r.network_wait_ms) is not distinct from
        (lag(r.transferred) over w, lag(r.disk_wait_ms) over w, lag(r.network_wait_ms) over w), false)
order by c.number, r.time, r._content_id, r._seq;
