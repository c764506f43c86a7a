-- What do the logs of support tools say of the collection?
select capture_id, content_id, min(line) as line, host_id, max(value) filter (key = 'tool_version') as tool_version,
       max(value) filter (key = 'scenarios') as scenarios
from facts
where topic = 'collection' and key in ('tool_version', 'scenarios')
group by capture_id, content_id, host_id
