-- How often did each content write what is written at a steady pace? As often as nine of ten came.
create or replace table scratch.coverage_steady as
with instants as (
/* instants */
),
apart as (
    select content_id, expected, round((us - lag(us) over (partition by content_id, expected order by us)) / 1e6, 1) as seconds
    from instants
),
counted as (
    -- Components and processes are told one by one within a second.
    select content_id, expected, seconds, count(*) as n from apart where seconds > 1 group by all
),
ranked as (
    select content_id, expected, seconds,
           sum(n) over (partition by content_id, expected order by seconds) / sum(n) over (partition by content_id, expected) as share
    from counted
),
paces as (
    select content_id, expected, min(seconds) filter (share >= 0.9) as seconds from ranked group by all
)
select content_id, arg_min(expected, seconds) as expected, min(seconds) as expected_s
from paces
where seconds > 0
group by content_id;
