-- How long did a transaction wait by the counters of the primary, while the session of Extended Events ran?
with series as (
    select s.time, lower(c.instance) as database, c.host_id,
           max(s.value) filter (c.counter = 'Transaction Delay') as delay_ms,
           max(s.value) filter (c.counter = 'Mirrored Write Transactions/sec') as transactions
    from samples s join counters c using (counter_id)
    where c.counter in ('Transaction Delay', 'Mirrored Write Transactions/sec')
      and s.time between $start and $end and c.host_id = $host and lower(c.instance) = lower($database)
    group by all
)
select sum(delay_ms) / sum(transactions) as mean, count(*) as n
from series where delay_ms is not null and transactions > 0;
