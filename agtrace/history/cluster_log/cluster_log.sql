-- Which entries do the cluster logs hold? A log that was collected twice (by each node, or once in
-- local time and once in UTC) tells its entries once.
with heads as (
    select content_id, max(value) filter (key = 'written_in') as written_in
    from raw_facts
    where topic = 'cluster_log'
    group by content_id
),
entries as (
    select o.capture_id, e.content_id, e.line, o.host_id, o.sql_instance, o.path,
           e.time_local, e.time_written,
           if(h.written_in = 'utc' and e.time_written >= timestamp '0001-01-02'
                  and e.time_written < timestamp '9999-12-31',
              e.time_written at time zone 'UTC',
              (coalesce(e.time_local, e.time_written) - to_minutes(k.offset_minutes)) at time zone 'UTC') as time,
           e.section, e.channel, e.process_id, e.thread_id, e.level, e.component, e.resource, e.text
    from raw_cluster_log e
    join contents o using (content_id)
    left join heads h using (content_id)
    left join clocks k
      on k.capture_id = o.capture_id and coalesce(e.time_local, e.time_written) >= k.local_from
     and coalesce(e.time_local, e.time_written) < k.local_to
),
-- Logs of a node that nobody names are never taken for one another.
shared as (
    select host_id
    from entries
    where host_id is not null
    group by host_id
    having count(distinct content_id) > 1
),
counted as (
    select *, row_number() over (
               partition by content_id, coalesce(time::timestamp, time_local, time_written),
                            process_id, thread_id, hash(text)
               order by line) as occurrence
    from entries
    where host_id in (from shared)
),
once as (
    select * exclude (occurrence)
    from counted
    qualify row_number() over (
        partition by host_id, coalesce(time::timestamp, time_local, time_written), process_id, thread_id,
                     hash(text), occurrence
        order by path, line) = 1
    union all
    select * from entries where host_id is null or host_id not in (from shared)
)
select capture_id, content_id, line, host_id, sql_instance, time_local, time, time_written, section,
       channel, process_id, thread_id, level, component, resource, text
from once
order by coalesce(time::timestamp, time_local, time_written), path, line;
