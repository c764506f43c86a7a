-- Which errors of the connection between replicas did some hosts write in some spans: refused
-- handshakes, errors of the endpoint, and connections that could not be set up, as AlwaysOn_health keeps them?
-- null: line
with asked as (
    select unnest($numbers::integer[]) as number, unnest($hosts::varchar[]) as host_id,
           unnest($begins::timestamptz[]) as begins, unnest($ends::timestamptz[]) as ends
),
told as (
    select host_id, time, content_id, line, left(text, 400) as text, source
    from log_entries
    where source = 'ucs_connection_setup' or (source = 'ERRORLOG' and error in (select unnest($errors::integer[])))
)
select a.number, arg_min(t.text, (t.time, t.line)) as text, arg_min(t.content_id, (t.time, t.line)) as content_id,
       arg_min(t.line, (t.time, t.line)) as line, arg_min(t.source, (t.time, t.line)) as source, any_value(a.host_id) as host_id
from asked a
join told t on t.host_id = a.host_id and t.time between a.begins and a.ends
group by a.number
order by a.number
