-- What did perfmon see of disks, processors and network cards while each operation ran alone?
-- A sample belongs to the operation that was running; where several ran at once, to none of them.
with ran as (
    select host_id, operation_id, epoch_us(coalesce(start, start_local)) as begun,
           epoch_us(coalesce("end", end_local)) as ended, start is null as is_local
    from backups
    where status = 'completed' and beside = 0 and start_local is not null and end_local is not null
),
wanted as (
    select counter_id, host_id, object, counter, instance
    from counters
    where host_id in (select host_id from ran)
      and (   (object in ('LogicalDisk', 'PhysicalDisk') and instance <> '_Total'
               and counter in ('Avg. Disk sec/Read', 'Avg. Disk sec/Write',
                               'Disk Read Bytes/sec', 'Disk Write Bytes/sec'))
           or (object = 'Processor' and instance = '_Total' and counter = '% Processor Time')
           or (object = 'Network Interface' and counter in ('Bytes Sent/sec', 'Current Bandwidth')))
),
sampled as (
    select w.*, s.value, epoch_us(coalesce(s.time, s.time_local)) as moment, s.time is null as is_local
    from samples s join wanted w using (counter_id)
)
select r.operation_id, s.object, s.counter, s.instance, avg(s.value) as value, count(*) as n
from sampled s
asof join ran r on s.host_id = r.host_id and s.is_local = r.is_local and s.moment > r.begun
where s.moment <= r.ended
group by all
order by all;
