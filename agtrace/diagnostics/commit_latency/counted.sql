-- How long did a transaction wait by the counters of the primary, while the session of Extended Events ran?
-- null: mean
with series as (
    select time, lower(instance) as database, host_id,
           max(value) filter (counter = 'Transaction Delay') as delay_ms,
           max(value) filter (counter = 'Mirrored Write Transactions/sec') as transactions
    from counter_values
    where counter in ('Transaction Delay', 'Mirrored Write Transactions/sec')
      and time between $start and $end and host_id = $host and lower(instance) = lower($database)
    group by all
)
select sum(delay_ms) / sum(transactions) as mean, count(*) as n
from series where delay_ms is not null and transactions > 0;
