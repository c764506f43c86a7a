-- How did the log of each database stand at the last look that tells it, and how many virtual log files has it?
-- null: used_percent, log_bytes, reason, vlf_count, time, time_local, ag
select coalesce(d.host_id, '') as host_id, d."database", max_by(d.log_used_percent, d.moment) as used_percent,
       max_by(d.log_bytes, d.moment) filter (d.log_used_percent is not null) as log_bytes,
       max_by(d.log_reuse_wait, d.moment) as reason, max_by(d.vlf_count, d.moment) as vlf_count,
       max(d.time) as time, max(d.time_local) as time_local,
       max_by(coalesce(c.path, 'a look') || coalesce(' line ' || d.line, ''), d.moment) as place,
       (select any_value(s.ag) from database_states s where s."database" = d."database" and s.host_id is not distinct from any_value(d.host_id)) as ag
from (select *, coalesce(time::timestamp, time_local, timestamp '1970-01-01') as moment from databases) d
left join contents c on c.content_id = d.content_id
where d."database" is not null and lower(d."database") not in ('master', 'model', 'msdb', 'tempdb')
group by coalesce(d.host_id, ''), d."database"
order by 1, 2;
