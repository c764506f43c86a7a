-- Which share of the slowest 1 % of the commits met a closed gate of flow control, and which of the others? A gate is closed
-- from when it is set until it is cleared; the primary tells both.
with told as (
    select gate, gate_id, time as since, is_closed, lead(time) over same as until, lead(is_closed) over same as then_closed
    from flow_control
    where time is not null
    window same as (partition by gate, gate_id order by time, seq)
),
closed as (
    select gate, gate_id, since, until from told where is_closed and not then_closed
),
blocks as (
    select b.* replace (t_first - to_microseconds(coalesce(k.ahead_us, 0)) as t_first),
           bool_or(joined) over (partition by group_database_id, replica_id) as any_joined
    from log_blocks b left join reference_clock k on k.host_id = b.primary_host
),
used as (
    select concat_ws(' ', group_database_id, replica_id) as link, primary_host as host, lower(group_database_id) as database_id,
           lower(replica_id) as replica_id, t_first, t_first + to_microseconds((commit_ms * 1000)::bigint) as done,
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by group_database_id, replica_id) as is_slow
    from blocks where (joined or not any_joined) and commit_ms is not null
),
asked as (
    select u.*, w.gate, if(w.gate = 'send gate', replica_id, database_id) as gate_id
    from used u, (select distinct gate from told) w
),
met as (
    select a.link, a.host, a.gate as what, a.is_slow, coalesce(c.until >= a.t_first, false) as is_closed
    from asked a
    asof left join closed c on c.gate = a.gate and c.gate_id = a.gate_id and a.done >= c.since
)
select link, host, what, count(*) filter (is_slow) as n, count(*) filter (is_slow and is_closed) as samples,
       count(*) filter (not is_slow) as others, 100 * avg(is_closed::int) filter (is_slow) as slow,
       100 * avg(is_closed::int) filter (not is_slow) as usual
from met
group by link, host, what
order by link, host, what;
