-- Which power plan did each snapshot of a host show: its name, and its GUID where that is written?
select capture_id, content_id, min(line) as line, host_id, max(value) filter (key = 'active') as plan,
       max(value) filter (key = 'guid') as guid
from facts
where topic = 'power_plan'
group by capture_id, content_id, item, host_id
