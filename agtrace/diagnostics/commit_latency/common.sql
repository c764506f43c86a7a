-- What do the slowest 1 % of the commits have in common: larger blocks, or a minute?
with blocks as (
    select *, bool_or(joined) over (partition by group_database_id, replica_id) as any_joined from log_blocks
),
used as (
    select group_database_id, replica_id, bytes, epoch_us(t_first) // 60000000 as minute,
           commit_ms >= quantile_cont(commit_ms, 0.99) over (partition by group_database_id, replica_id) as is_slow
    from blocks where (joined or not any_joined) and commit_ms is not null
),
minutes as (
    select group_database_id, replica_id, minute, count(*) filter (is_slow) as slow from used group by all
),
worst as (
    select group_database_id, replica_id, arg_max(minute, slow) as minute, max(slow) as slow, count(*) as minutes
    from minutes group by all
)
select u.group_database_id, u.replica_id, count(*) filter (u.is_slow) as n,
       median(u.bytes) filter (u.is_slow) as slow_bytes, median(u.bytes) as bytes,
       make_timestamptz(any_value(w.minute) * 60000000) as minute, any_value(w.slow) as in_minute,
       any_value(w.minutes) as minutes
from used u join worst w using (group_database_id, replica_id)
group by u.group_database_id, u.replica_id;
