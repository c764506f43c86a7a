-- Which copies report a failure, and where does a failure stand that names no copy?
select c.number, r.host_id, r.event, r.failure_code, r.failure_message, min(r.time) as time
from scratch.seeding_reports r left join scratch.seeding_copies c using (copy)
where r.failure_code is not null or r.failure_message is not null
group by all
order by time, number;
