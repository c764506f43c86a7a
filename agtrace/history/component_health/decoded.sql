-- What do the states of components say in numbers? Attributes are cut out of the text one by one; what is
-- not a number of at most 18 digits stays NULL. Each attribute is looked for in the data of its own component alone:
-- a year has millions of states.
with states as (
/* states */
),
parted as (
    select * exclude (data), if(component = 'system', data, null) as of_system,
           if(component = 'resource', data, null) as of_resource, if(component = 'io_subsystem', data, null) as of_io,
           if(component = 'query_processing', data, null) as of_queries
    from states
)
select time, host_id, sql_instance, source, content_id, seq, component, state, failure_condition_level,
       try_cast(regexp_extract(of_system, '\bsystemCpuUtilization="([0-9]{1,3})"', 1) as double) as system_cpu_percent,
       try_cast(regexp_extract(of_system, '\bsqlCpuUtilization="([0-9]{1,3})"', 1) as double) as sql_cpu_percent,
       try_cast(regexp_extract(of_system, '\bpageFaults="([0-9]{1,18})"', 1) as bigint) as page_faults,
       try_cast(regexp_extract(of_system, '\bnonYieldingTasksReported="([0-9]{1,18})"', 1) as bigint) as non_yielding_tasks,
       try_cast(regexp_extract(of_system, '\btotalDumpRequests="([0-9]{1,18})"', 1) as bigint) as total_dumps,
       try_cast(regexp_extract(of_system, '\bintervalDumpRequests="([0-9]{1,18})"', 1) as bigint) as interval_dumps,
       try_cast(regexp_extract(of_io, '\bintervalLongIos="([0-9]{1,18})"', 1) as bigint) as interval_long_ios,
       try_cast(regexp_extract(of_io, '\btotalLongIos="([0-9]{1,18})"', 1) as bigint) as total_long_ios,
       try_cast(regexp_extract(of_io, '\bioLatchTimeouts="([0-9]{1,18})"', 1) as bigint) as io_latch_timeouts,
       try_cast(regexp_extract(of_resource, '\boutOfMemoryExceptions="([0-9]{1,18})"', 1) as bigint) as out_of_memory_exceptions,
       try_cast(regexp_extract(of_resource, '\bprocessOutOfMemoryPeriod="([0-9]{1,18})"', 1) as bigint) as out_of_memory_s,
       nullif(regexp_extract(of_resource, '\blastNotification="([A-Z_]{1,64})"', 1), '') as last_notification,
       try_cast(regexp_extract(of_resource, '"Available Physical Memory" value="([0-9]{1,18})"', 1) as double)
           as available_memory_bytes,
       try_cast(regexp_extract(of_queries, '\bmaxWorkers="([0-9]{1,18})"', 1) as bigint) as max_workers,
       try_cast(regexp_extract(of_queries, '\bworkersCreated="([0-9]{1,18})"', 1) as bigint) as workers_created,
       try_cast(regexp_extract(of_queries, '\bworkersIdle="([0-9]{1,18})"', 1) as bigint) as workers_idle,
       try_cast(regexp_extract(of_queries, '\bpendingTasks="([0-9]{1,18})"', 1) as bigint) as pending_tasks,
       case regexp_extract(of_queries, '\bhasDeadlockedSchedulersOccurred="([01])"', 1)
           when '1' then true when '0' then false end as deadlocked_schedulers
from parted
