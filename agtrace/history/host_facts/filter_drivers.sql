-- Which filter drivers watch which volumes of each host?
select capture_id, content_id, min(line) as line, host_id, max(value) filter (key = 'filter') as filter,
       upper(max(value) filter (key = 'volume')) as volume,
       try_cast(max(value) filter (key = 'altitude') as double) as altitude
from facts
where topic = 'filter_instance'
group by capture_id, content_id, item, host_id
