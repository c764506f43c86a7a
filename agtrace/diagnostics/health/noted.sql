-- How often did each host write messages of each kind, when, and which texts most? By number in every language; what
-- has none by its beginning. A message that an ERRORLOG and a session both keep counts once: that which has more does.
-- not null: texts.text, texts.n
with kinds as (
    select unnest($kinds::varchar[]) as kind, unnest($numbers::integer[]) as number
),
heads as (
    select unnest($head_kinds::varchar[]) as kind, unnest($heads::varchar[]) as head
),
spans as (
    select unnest($hosts::varchar[]) as host_id, unnest($starts::timestamptz[]) as begins, unnest($ends::timestamptz[]) as ends
),
recognised as (
    select distinct m.content_id, m.line, k.kind
    from log_messages m
    join kinds k on k.number = m.message_id
),
written as (
    select k.kind, e.source, e.host_id, e.content_id, e.line, e.time, e.time_local, left(e.text, 400) as text
    from log_entries e
    join kinds k on k.number = e.error
    union all
    select r.kind, e.source, e.host_id, e.content_id, e.line, e.time, e.time_local, left(e.text, 400)
    from recognised r
    join log_entries e on e.content_id = r.content_id and e.line = r.line
    where e.error is null and e.source = 'ERRORLOG'
    union all
    select h.kind, e.source, e.host_id, e.content_id, e.line, e.time, e.time_local, left(e.text, 400)
    from log_entries e
    join heads h on starts_with(e.text, h.head)
    where e.error is null and e.source = 'ERRORLOG'
),
marked as (
    select w.* replace (coalesce(w.host_id, '') as host_id), coalesce(time, time_local at time zone 'UTC') as moment,
           exists (from spans s where s.host_id = w.host_id and w.time between s.begins and s.ends) as is_explained
    from written w
),
placed as materialized (
    from marked k
    where not (is_explained and list_contains($left_out::varchar[], kind))
      -- A backup that fails for want of memory tells it (backup.failed).
      and not (kind = 'out_of_memory'
               and exists (from log_entries b where b.source = 'ERRORLOG' and b.content_id = k.content_id and b.error = 3041 and b.line > k.line
                           and b.time_local <= k.time_local + interval 10 seconds))
),
by_hour as (
    select kind, host_id, source, date_trunc('hour', moment) as hour, count(*) as n
    from placed
    group by all
),
texts as (
    select kind, host_id, source, text, count(*) as n, min(moment) as first, arg_min(content_id, (moment, line)) as content_id,
           arg_min(line, (moment, line)) as line
    from placed
    group by all
),
most as (
    select kind, host_id, source,
           list({'text': text, 'n': n, 'content_id': content_id, 'line': line} order by n desc, first, text)[:$shown] as texts
    from texts
    group by all
),
counted as (
    select kind, host_id, source, count(*) as n, min(moment) as first, max(moment) as last,
           bool_or(time is null) as is_local
    from placed
    group by all
)
select c.*, h.busiest, m.texts
from counted c
join (select kind, host_id, source, max(n) as busiest from by_hour group by all) h using (kind, host_id, source)
join most m using (kind, host_id, source)
qualify row_number() over (partition by c.kind, c.host_id order by c.n desc, c.source) = 1
order by c.kind, c.host_id
