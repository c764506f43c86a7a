-- Which TCP settings did each look at a host show, in the order in which they are printed?
-- A record that names the host that it speaks of (netsh -r HOST) counts for that host.
select f.capture_id, f.item, f.host_id, coalesce(c.path, '') as path, f.key as setting, any_value(f.value) as value,
       any_value(h.value) as spoken_of, min(f.line) as line
from facts f
left join captures c using (capture_id)
left join facts h on (h.capture_id, h.topic, h.item, h.key) = (f.capture_id, f.topic, f.item, 'host')
where f.topic = 'tcp_global' and f.key not in ('host', 'setting_name')
group by all
order by path, f.host_id, f.item, line;
