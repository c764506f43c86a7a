-- When did each content write, in steps of ten seconds, and how long was it silent between two of them? Of a
-- perfmon log every row is a step.
create or replace table scratch.coverage_spans as
with records as (
/* records */
),
-- There may be millions of steps: each has the number of its content.
known as (
    select content_id, row_number() over (order by content_id) as content
    from (select distinct content_id from captures where content_id is not null)
),
-- What a collector left out of an ERRORLOG parts it in two.
gaps as (
    select content_id, item, max(time_local) filter (key = 'to') as local_to
    from raw_facts
    where topic = 'errorlog_gap'
    group by content_id, item
    having count(*) filter (key = 'from') > 0 and count(*) filter (key = 'to') > 0
),
parts as (
    select content, list(local_to) as ends from gaps join known using (content_id) group by content
),
steps as (
    select k.content, told, is_utc, us // step_us as step, min(us) as low, max(us) as high, count(*) as n,
           min(time_local) as first_local, max(time_local) as last_local
    from records
    join known k using (content_id)
    where us is not null
    group by all
),
parted as (
    select s.*, coalesce(len(list_filter(g.ends, lambda e: e <= s.first_local)), 0) as segment
    from steps s
    left join parts g using (content)
),
pauses as (
    select p.*, p.low - lag(p.high) over (partition by p.content, p.is_utc order by p.low)
                > $gap_steps * i.interval_s * 1e6 as is_late
    from parted p
    left join (select content, min(interval_s) as interval_s from captures join known using (content_id) group by all) i using (content)
    where p.told = 'ticks'
),
-- A perfmon log is parted where rows are missing: another log may hold them.
pieces as (
    select * exclude (segment, is_late),
           segment + count(if(is_late, 1, null)) over (partition by content, is_utc order by low) as segment
    from pauses
    union all
    select * exclude (segment), segment from parted where told <> 'ticks'
),
silences as (
    select *, low - lag(high) over (partition by content, told, is_utc, segment order by low) as silence
    from pieces
),
spans as (
    select content, told, is_utc, segment, min(low) as low, max(high) as high, sum(n)::bigint as n,
           min(first_local) as first_local, max(last_local) as last_local,
           -- Within a step nothing is known of silence.
           max(silence) filter (told = 'ticks' or silence > 10000000) as silence,
           arg_max(low, silence) filter (told = 'ticks' or silence > 10000000) as silence_end
    from silences
    group by all
)
select k.content_id, s.* exclude (content) from spans s join known k using (content);
