-- Since when had each lease run out when its expiry was noted? The event carries the tick count until which the lease
-- held beside that of its own moment: a server that stood still notes it late.
update scratch.timeline_told as t
set value = (e.current_time::double - e.new_timeout::double) / 1000, unit = 's'
from events_availability_group_lease_expired e
where t.kind = 'lease_expired' and t.source = 'Extended Events' and t.content_id = e._content_id and t.line = e._seq
  and e.new_timeout::double > 0 and e.current_time::double >= e.new_timeout::double
  and e.current_time::double - e.new_timeout::double < 86400000;
