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
coarse as (
    select content_id from written group by content_id
    having count(distinct counter_us) > count(*) / 4
       and count(distinct written_us % 10000) <= least(100, count(*) / 4)
),
-- A damaged counter must not bend the line: what is a minute off the usual is left out.
middles as (
    select content_id, median(written_us - counter_us - took_us) as usual
    from written join coarse using (content_id) group by content_id
),
contents as (
    select content_id, avg(written_us - counter_us - took_us) as shift, avg(counter_us) as middle,
           regr_slope(written_us - counter_us - took_us, counter_us) as slope
    from written join middles using (content_id)
    where abs(written_us - counter_us - took_us - usual) < 60000000
    group by content_id
),
every as (
    select content_id from scratch.block_flush_start_written
    union select content_id from scratch.block_flush_complete_written
    union select content_id from scratch.block_send_written
    union select content_id from scratch.block_commit_written
    union select content_id from scratch.block_sync_state_written
    union select content_id from written
),
hosts_of as (
    select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id
)
select e.content_id, h.host_id, h.sql_instance,
       coalesce(h.host_id || coalesce('\' || h.sql_instance, ''), e.content_id) as h,
       round(c.shift)::bigint as shift_us, round(c.middle)::bigint as middle_us, coalesce(c.slope, 0) as slope
from every e
left join contents c using (content_id)
left join hosts_of h using (content_id);
