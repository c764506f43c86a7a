-- Which states did each copy go through? Only changes count.
select c.number, r.time, r.phase
from scratch.seeding_reports r join scratch.seeding_copies c using (copy)
where r.phase is not null and r.is_timed
qualify r.phase is distinct from lag(r.phase) over (partition by c.number order by r.time, r._content_id, r._seq)
order by c.number, r.time, r._content_id, r._seq;
