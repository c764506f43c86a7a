-- Which texts do the messages about groups have that a session kept? The same ones come again and again.
select distinct e.message
from events_error_reported e
join scratch.timeline_kinds k on k.message_id = e.error_number
where e.message is not null and e.error_number in (1480, 35201, 35202, 35206, 35264, 35265, 35266, 35267, 41143, 41144)
order by e.message
limit 100000;
