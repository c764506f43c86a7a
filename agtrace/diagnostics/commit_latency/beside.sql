-- What was busy while the slowest 1 % of the commits were on their way, and what while the others were? Of each series the
-- value in the middle, counted by commits: a sample speaks of the time since the one before it. Blocks
-- have the clocks of their hosts, samples the reference clock.
with links as (
    select unnest($links::varchar[]) as link, unnest($primaries::varchar[]) as primary_host, unnest($replicas::varchar[]) as replica_host
),
blocks as (
    select *, bool_or(joined) over (partition by group_database_id, replica_id) as any_joined from log_blocks
),
used as (
    select concat_ws(' ', group_database_id, replica_id) as link, t_first, coalesce(skew_ms, 0) as skew_ms,
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by group_database_id, replica_id) as is_slow
    from blocks where (joined or not any_joined) and commit_ms is not null
),
moments as (
    select l.link, l.primary_host as host, date_trunc('second', u.t_first - to_microseconds(coalesce(k.ahead_us, 0))) as at, count(*) as n,
           count(*) filter (u.is_slow) as slow
    from used u join links l using (link)
    left join reference_clock k on k.host_id = l.primary_host
    group by all
    union all
    select l.link, l.replica_host,
           date_trunc('second', u.t_first + to_microseconds((u.skew_ms * 1000)::bigint - coalesce(k.ahead_us, 0))), count(*),
           count(*) filter (u.is_slow)
    from used u join links l using (link)
    left join reference_clock k on k.host_id = l.replica_host
    group by all
),
asked as (
    select m.*, s.what from moments m join (select distinct link, host, what from commit_samples) s using (link, host)
),
met as (
    select a.link, a.host, a.what, s.time, s.value, sum(a.slow) as slow, sum(a.n - a.slow) as others
    from asked a
    asof join commit_samples s on a.link = s.link and a.host = s.host and a.what = s.what and a.at <= s.time
    where s.time - a.at <= interval 60 seconds
    group by all
),
ranked as (
    select *, sum(slow) over upto as slow_upto, sum(slow) over whole as slow_all,
           sum(others) over upto as others_upto, sum(others) over whole as others_all
    from met
    window upto as (partition by link, host, what order by value, time rows unbounded preceding),
           whole as (partition by link, host, what)
)
select link, host, what, max(slow_all)::bigint as n, count(*) filter (slow > 0) as samples, max(others_all)::bigint as others,
       min(value) filter (slow_all > 0 and 2 * slow_upto >= slow_all) as slow,
       min(value) filter (others_all > 0 and 2 * others_upto >= others_all) as usual
from ranked
group by link, host, what
order by link, host, what;
