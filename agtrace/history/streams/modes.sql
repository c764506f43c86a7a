-- Which commit mode did statements set for each replica, and looks at servers show, and when?
-- An id of a group that nothing names tells of no group. Every replica that logged a statement logged
-- the same, so that the host does not matter.
select epoch_us(o.time) / 1e6 as time_s, o.ag, o.replica,
       if(upper(o.value) like 'A%', 'asynchronous', 'synchronous') as mode, o.is_look,
       if(o.is_look, coalesce(c.path, o.capture_id), null) as path, o.line, min(o.option_id) as number
from group_options o
left join captures c using (capture_id)
where o.option = 'availability_mode' and upper(o.value) in ('SYNCHRONOUS_COMMIT', 'ASYNCHRONOUS_COMMIT')
  and o.ag is not null and o.replica is not null and (o.is_look or o.time is not null)
group by all
order by time_s nulls last, is_look, path, line, number;
