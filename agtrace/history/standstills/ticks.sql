-- What did the wall clock and the tick count of each host show at the same moment? An expired lease carries both.
select o.host_id, o.sql_instance, e._time - to_microseconds(coalesce(k.ahead_us, 0)) as time, e.current_time::double / 1000 as tick_s,
       if(e.new_timeout::double > 0 and e.current_time::double >= e.new_timeout::double,
          (e.current_time::double - e.new_timeout::double) / 1000, null) as run_out_s
from events_availability_group_lease_expired e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
left join reference_clock k using (host_id)
where o.host_id is not null and e._time is not null and e.current_time::double > 0
order by o.host_id, e._time
limit 100000;
