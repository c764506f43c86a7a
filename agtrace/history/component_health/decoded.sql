-- What do the states of components say in numbers? Attributes are cut out of the text one by one; what is
-- not a number of at most 18 digits stays NULL.
with states as (
/* states */
)
select time, host_id, sql_instance, source, content_id, seq, component, state, failure_condition_level,
       try_cast(regexp_extract(data, '\bsystemCpuUtilization="([0-9]{1,3})"', 1) as double) as system_cpu_percent,
       try_cast(regexp_extract(data, '\bsqlCpuUtilization="([0-9]{1,3})"', 1) as double) as sql_cpu_percent,
       try_cast(regexp_extract(data, '\bpageFaults="([0-9]{1,18})"', 1) as bigint) as page_faults,
       try_cast(regexp_extract(data, '\bnonYieldingTasksReported="([0-9]{1,18})"', 1) as bigint) as non_yielding_tasks,
       try_cast(regexp_extract(data, '\btotalDumpRequests="([0-9]{1,18})"', 1) as bigint) as total_dumps,
       try_cast(regexp_extract(data, '\bintervalDumpRequests="([0-9]{1,18})"', 1) as bigint) as interval_dumps,
       try_cast(regexp_extract(data, '\bintervalLongIos="([0-9]{1,18})"', 1) as bigint) as interval_long_ios,
       try_cast(regexp_extract(data, '\btotalLongIos="([0-9]{1,18})"', 1) as bigint) as total_long_ios,
       try_cast(regexp_extract(data, '\bioLatchTimeouts="([0-9]{1,18})"', 1) as bigint) as io_latch_timeouts,
       try_cast(regexp_extract(data, '\boutOfMemoryExceptions="([0-9]{1,18})"', 1) as bigint) as out_of_memory_exceptions,
       try_cast(regexp_extract(data, '\bprocessOutOfMemoryPeriod="([0-9]{1,18})"', 1) as bigint) as out_of_memory_s,
       nullif(regexp_extract(data, '\blastNotification="([A-Z_]{1,64})"', 1), '') as last_notification,
       try_cast(regexp_extract(data, '"Available Physical Memory" value="([0-9]{1,18})"', 1) as double)
           as available_memory_bytes,
       try_cast(regexp_extract(data, '\bmaxWorkers="([0-9]{1,18})"', 1) as bigint) as max_workers,
       try_cast(regexp_extract(data, '\bworkersCreated="([0-9]{1,18})"', 1) as bigint) as workers_created,
       try_cast(regexp_extract(data, '\bworkersIdle="([0-9]{1,18})"', 1) as bigint) as workers_idle,
       try_cast(regexp_extract(data, '\bpendingTasks="([0-9]{1,18})"', 1) as bigint) as pending_tasks,
       case regexp_extract(data, '\bhasDeadlockedSchedulersOccurred="([01])"', 1)
           when '1' then true when '0' then false end as deadlocked_schedulers
from states
order by time, content_id, seq;
