-- What do the slowest 1 % of the commits have in common: larger blocks, a minute, an hour, a database?
-- null: replica_id, slow_bytes, bytes
with blocks as (
    select b.* replace (t_first - to_microseconds(coalesce(k.ahead_us, 0)) as t_first),
           bool_or(joined) over (partition by group_database_id, replica_id) as any_joined
    from log_blocks b left join reference_clock k on k.host_id = b.primary_host
),
used as (
    select group_database_id, replica_id, bytes, epoch_us(t_first) // 60000000 as minute, epoch_us(t_first) // 3600000000 as hour,
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by group_database_id, replica_id) as is_slow,
           -- Of those of all databases that are sent to the replica.
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by replica_id) as is_slow_there
    from blocks where (joined or not any_joined) and commit_ms is not null
),
minutes as (
    select group_database_id, replica_id, minute, count(*) filter (is_slow) as slow from used group by all
),
worst as (
    select group_database_id, replica_id, arg_max(minute, slow) as minute, max(slow) as slow, count(*) as minutes
    from minutes group by all
),
hours as (
    select group_database_id, replica_id, hour, count(*) filter (is_slow) as slow from used group by all
),
worst_hour as (
    select group_database_id, replica_id, arg_max(hour, slow) as hour, max(slow) as slow, count(*) as hours
    from hours group by all
),
sent as (
    select replica_id, count(*) as n, count(*) filter (is_slow_there) as slow, count(distinct group_database_id) as databases
    from used group by all
)
select u.group_database_id, u.replica_id, count(*) filter (u.is_slow) as n,
       median(u.bytes) filter (u.is_slow) as slow_bytes, median(u.bytes) as bytes,
       make_timestamptz(any_value(w.minute) * 60000000) as minute, any_value(w.slow) as in_minute,
       any_value(w.minutes) as minutes,
       make_timestamptz(any_value(h.hour) * 3600000000) as hour, any_value(h.slow) as in_hour, any_value(h.hours) as hours,
       any_value(s.databases) as databases, any_value(s.slow) as slow_there,
       count(*) filter (u.is_slow_there) / any_value(s.slow) as share_of_slow, count(*) / any_value(s.n) as share_of_all
from used u
join worst w using (group_database_id, replica_id)
join worst_hour h using (group_database_id, replica_id)
join sent s using (replica_id)
group by u.group_database_id, u.replica_id;
