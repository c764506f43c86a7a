-- Which host does each capture of data movement come from, and what is to be added to the counter of its
-- events to have their time, where the times that were written are coarser than the latencies?
-- Exports keep times as datetime does (1/300 s) or in milliseconds; the counter of microseconds that events
-- carry is then the finer clock, set to what was written by a straight line.
create or replace table scratch.block_contents as
with written as (
    select content_id, written_us, counter_us, coalesce(took_us, 0) as took_us from scratch.block_capture_written
    union all
    select content_id, written_us, counter_us, coalesce(took_us, 0) from scratch.block_receive_written
    union all
    select content_id, written_us, counter_us, coalesce(took_us, 0) from scratch.block_harden_received_written
),
contents as (
    select content_id, min(written_us) as first_us, max(written_us) as last_us, count(*) as n,
           count(distinct written_us % 10000) as fractions,
           avg(written_us - counter_us - took_us) as shift, avg(counter_us) as middle,
           regr_slope(written_us - counter_us - took_us, counter_us) as slope,
           count(distinct counter_us) > count(*) / 4 as has_counter
    from written group by content_id
),
every as (
    select content_id from scratch.block_flush_start_written
    union select content_id from scratch.block_flush_complete_written
    union select content_id from scratch.block_send_written
    union select content_id from scratch.block_commit_written
    union select content_id from scratch.block_sync_state_written
    union select content_id from contents
),
hosts_of as (
    select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id
)
select e.content_id, h.host_id, h.sql_instance,
       coalesce(h.host_id || coalesce('\' || h.sql_instance, ''), e.content_id) as h,
       case when c.has_counter and c.fractions <= least(100, c.n / 4) then round(c.shift)::bigint end as shift_us,
       round(c.middle)::bigint as middle_us, coalesce(c.slope, 0) as slope
from every e
left join contents c using (content_id)
left join hosts_of h using (content_id);
