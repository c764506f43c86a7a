-- What did each end report of its copy as it went?
select e.seeding_id, e.role, p.* exclude (number, _content_id, _seq)
from (select unnest($ids::bigint[]) as seeding_id, unnest($roles::varchar[]) as role, unnest($numbers::bigint[]) as number) e
join scratch.seeding_copy_progress p using (number)
order by e.seeding_id, e.role, p.time, p._content_id, p._seq;
