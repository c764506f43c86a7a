-- When were processors or disks short, as perfmon shows it? (minutes that counters.py found)
select 'perfmon' as source, 5 as rank, null::varchar as content_id, null::bigint as line, host as witness, host as host_id, moment as time,
       null::timestamp as time_local, null::varchar as ag, null::varchar as replica, null::varchar as database, kind,
       null::varchar as before, null::varchar as after, value, unit, text
from (select unnest($host::varchar[]) as host, unnest($moment::timestamptz[]) as moment, unnest($kind::varchar[]) as kind,
             unnest($value::double[]) as value, unnest($unit::varchar[]) as unit, unnest($text::varchar[]) as text);
