-- What happened to the groups and their servers, in order of time, and which captures tell of it?
-- null: end, time_local, ag, host_id, sql_instance, replica, database, before, after, value, unit, sql_percent, thing, text
-- null: skew_ms
select t.* replace ([{'source': w.source, 'host_id': w.host_id, 'content_id': w.content_id, 'line': w.line}
                     for w in coalesce(witnesses, [])] as witnesses),
       list_distinct([w.source for w in coalesce(witnesses, [])]) as sources
from timeline t
where time is not null
order by time, kind, host_id, database, value desc nulls last, text
