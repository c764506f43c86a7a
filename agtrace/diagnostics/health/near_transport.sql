-- Which errors of the connection between replicas did some hosts write in some spans, by their own clock: refused
-- handshakes and errors of the endpoint?
with asked as (
    select unnest($numbers::integer[]) as number, unnest($hosts::varchar[]) as host_id,
           unnest($begins::timestamptz[]) as begins, unnest($ends::timestamptz[]) as ends
),
owners as (
    select content_id as _content_id, min(host_id) as host_id from captures where host_id is not null group by content_id
),
told as (
    select host_id, time, content_id, line, left(message, 400) as text, 'ERRORLOG' as source
    from errorlog
    where error in (select unnest($errors::integer[]))
    /* events */
)
select a.number, arg_min(t.text, (t.time, t.line)) as text, arg_min(t.content_id, (t.time, t.line)) as content_id,
       arg_min(t.line, (t.time, t.line)) as line, arg_min(t.source, (t.time, t.line)) as source, any_value(a.host_id) as host_id
from asked a
join told t on t.host_id = a.host_id and t.time between a.begins and a.ends
group by a.number
order by a.number
