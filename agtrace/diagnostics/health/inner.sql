-- Which errors did a session log in the minute before it could not start an instance or open a database?
-- null: text
select f.content_id, f.line, e.error, left(e.text, 300) as text, e.line as at
from log_entries f
join log_entries e
  on e.content_id = f.content_id and e.line < f.line and e.session = f.session
 and e.time_local >= f.time_local - interval 60 seconds
where f.error in (912, 945, 3417, 3437) and e.error is not null and e.error not in (912, 945, 3417, 3437)
qualify row_number() over (partition by f.content_id, f.line order by e.line desc) <= 2
order by f.content_id, f.line, e.line desc
