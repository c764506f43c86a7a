-- Which entries tell that the name or an address of a listener did not come online, and how often each? ERRORLOG by number in
-- every language; Windows' events by theirs; of cluster logs what the resources of names and addresses wrote as errors.
-- Names are not counted here: a pattern that counts to 200 takes longer to prepare than a log to read, and names.py bounds them.
-- null: host_id, number, resource, line
with logged as (
    select source, host_id, content_id, line, error as number, time, time_local, left(text, 600) as text
    from log_entries
    where error in (select unnest($numbers::integer[]))
),
written as (
    select source, host_id, content_id, line, number, null as resource, time, time_local, text
    from logged e
    -- What a session keeps of a log counts once.
    where source = 'ERRORLOG'
       or not exists (from logged o where o.source = 'ERRORLOG' and o.host_id = e.host_id and o.number = e.number)
    union all
    select 'event log', o.host_id, o.content_id, o.line, o.event_id, null, o.time, o.time_local, left(o.message, 600)
    from os_events o
    join (select unnest($events::integer[]) as number) k on k.number = o.event_id
    where o.source ilike '%FailoverClustering%'
    union all
    select 'cluster log', c.host_id, c.content_id, c.line, null, c.resource, c.time, c.time_local, left(c.text, 600)
    from cluster_log c
    where (c.level = 'ERR' and regexp_matches(c.text, '^\[RES\] (Network Name|IP Address|IPv6 Address) <'))
       or regexp_matches(c.text, '^Cluster (network name )?resource ''.+''( of type ''(Network Name|IP Address|IPv6 Address)''|  ?failed registration)')
       or regexp_matches(c.text, '^Cluster (IP address|network name) resource ''.+'' (cannot be brought online|failed)')
)
select source, host_id, number, resource, text, count(*) as n, min(coalesce(time, time_local at time zone 'UTC')) as first,
       max(coalesce(time, time_local at time zone 'UTC')) as last, bool_or(time is null) as is_local,
       arg_min(content_id, line) as content_id, min(line) as line
from written
where coalesce(time, time_local) is not null and text is not null
group by source, host_id, number, resource, text
order by n desc, first, host_id, source, text
limit $most
