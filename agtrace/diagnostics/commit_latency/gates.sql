-- Which share of the slowest 1 % of the commits met a closed gate of flow control, and which of the others? A gate is closed
-- from when it is set until it is cleared; the primary tells both.
with told as (
    select what, gate, time as since, is_set, lead(time) over same as until, lead(is_set) over same as then_set
    from scratch.commit_gates
    window same as (partition by what, gate order by time, seq)
),
closed as (
    select what, gate, since, until from told where is_set and not then_set
),
blocks as (
    select *, bool_or(joined) over (partition by group_database_id, replica_id) as any_joined from log_blocks
),
used as (
    select concat_ws(' ', group_database_id, replica_id) as link, primary_host as host, lower(group_database_id) as database_id,
           lower(replica_id) as replica_id, t_first, t_first + to_microseconds((commit_ms * 1000)::bigint) as done,
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by group_database_id, replica_id) as is_slow
    from blocks where (joined or not any_joined) and commit_ms is not null
),
asked as (
    select u.*, w.what, if(w.what = 'send gate', replica_id, database_id) as gate
    from used u, (select distinct what from scratch.commit_gates) w
),
met as (
    select a.link, a.host, a.what, a.is_slow, coalesce(c.until >= a.t_first, false) as is_closed
    from asked a
    asof left join closed c on c.what = a.what and c.gate = a.gate and a.done >= c.since
)
select link, host, what, count(*) filter (is_slow) as n, count(*) filter (is_slow and is_closed) as samples,
       count(*) filter (not is_slow) as others, 100 * avg(is_closed::int) filter (is_slow) as slow,
       100 * avg(is_closed::int) filter (not is_slow) as usual
from met
group by link, host, what
order by link, host, what;
