-- What do wait statistics and counters of a host say of the same minutes? Both are of all of its databases. Each
-- interval counts for which the counters have samples.
-- null: waited, other
with intervals as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, waiting_tasks, wait_ms,
           time - to_milliseconds((seconds * 1000)::bigint) as start, time as "end"
    from waits where wait_type = 'HADR_SYNC_COMMIT' and time is not null and host_id is not null
),
counted as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, time,
           sum(value) filter (counter = 'Transaction Delay') as delay_ms,
           sum(value) filter (counter = 'Mirrored Write Transactions/sec') as transactions
    from counter_values
    where counter in ('Transaction Delay', 'Mirrored Write Transactions/sec') and lower(instance) <> '_total'
    group by all
),
compared as (
    select i.*, sum(c.delay_ms) as delay_ms, sum(c.transactions) as transactions, count(*) as samples
    from intervals i join counted c
      on c.host_id = i.host_id and c.sql_instance = i.sql_instance and c.time > i.start and c.time <= i."end"
    where c.delay_ms is not null and c.transactions is not null
    group by all
)
select host_id as host, sql_instance, min(start) as start, max("end") as "end",
       sum(wait_ms) / nullif(sum(waiting_tasks), 0) as waited, sum(waiting_tasks)::bigint as waits,
       sum(delay_ms) / nullif(sum(transactions), 0) as other, sum(samples)::bigint as n
from compared
group by all
order by all;
