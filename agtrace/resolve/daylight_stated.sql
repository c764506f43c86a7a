-- Which offsets from UTC were stated, in the outputs of sqlcmd themselves and in other captures of their hosts, and when?
select a.content_id, f.content_id = a.content_id as is_own, f.line, f.time_local,
       case f.key when 'UTCOffset_in_Hours' then round(60 * try_cast(f.value as double))::integer
                  when 'bias_minutes' then -try_cast(f.value as integer)
                  else try_cast(f.value as integer) end as minutes
from facts f
join (select distinct content_id, host_id from captures where content_id in (select unnest($contents::varchar[]))) a
  on f.content_id = a.content_id or f.host_id = a.host_id
where (f.topic, f.key) in (('startup', 'utc_adjustment_minutes'), ('pdh_header', 'bias_minutes'),
                           ('server_property', 'UTCOffset_in_Hours'), ('collection', 'utc_offset_minutes'))
  and f.time_local is not null
order by a.content_id, is_own desc, f.time_local, f.line
