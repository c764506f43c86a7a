-- Which entries tell that the name or an address of a listener did not come online, and how often each? ERRORLOG by number in
-- every language; Windows' events by theirs; of cluster logs what the resources of names and addresses wrote as errors.
-- Names are not counted here: a pattern that counts to 200 takes longer to prepare than a log to read, and names.py bounds them.
with numbers as (
    select unnest($numbers::integer[]) as number
),
written as (
    select 'ERRORLOG' as source, e.host_id, e.content_id, e.line, e.error as number, null as resource, e.time, e.time_local,
           left(e.message, 600) as text
    from errorlog e
    join numbers n on n.number = e.error
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
    /* events */
)
select source, host_id, number, resource, text, count(*) as n, min(coalesce(time, time_local at time zone 'UTC')) as first,
       max(coalesce(time, time_local at time zone 'UTC')) as last, bool_or(time is null) as is_local,
       arg_min(content_id, line) as content_id, min(line) as line
from written
where coalesce(time, time_local) is not null and text is not null
group by source, host_id, number, resource, text
order by n desc, first, host_id, source, text
limit $most
