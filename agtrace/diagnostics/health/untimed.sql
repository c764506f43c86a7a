-- What happened on hosts whose offset from UTC is unknown, in the order of their local time, marked as UTC?
select t.* replace (time_local at time zone 'UTC' as time, null::double as skew_ms,
                    [{'source': w.source, 'host_id': w.host_id, 'content_id': w.content_id, 'line': w.line}
                     for w in coalesce(witnesses, [])] as witnesses),
       list_distinct([w.source for w in coalesce(witnesses, [])]) as sources
from timeline t
where t.time is null and time_local is not null
order by time_local, kind, host_id, database, value desc nulls last, text
