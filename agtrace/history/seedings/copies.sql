-- Which copies did events and sys.dm_hadr_physical_seeding_stats show on each host? Columns are fields of `Part`.
-- A failure that names no copy belongs to the one that ran on its host then, if only one did.
with phases as (
    select c.number, r.time, r.phase as name, r._content_id, r._seq
    from scratch.seeding_reports r join scratch.seeding_copies c using (copy)
    where r.phase is not null and r.is_timed
    qualify r.phase is distinct from lag(r.phase) over (partition by c.number order by r.time, r._content_id, r._seq)
),
passed as (
    select number, list({'time': time, 'name': name} order by time, _content_id, _seq) as states,
           last(name order by time, _content_id, _seq) as last_phase,
           min(time) filter (name in ('Success', 'SuccessWaitingForAsyncCallback',
                                      'Failed', 'Failure', 'FailureWaitingForAsyncCallback')) as over
    from phases group by number
),
progress as (
    select number, count(*) as reports, min(time) as first_report, max(time) as last_report,
           last(bytes_per_s order by time, _content_id, _seq) as last_rate
    from scratch.seeding_copy_progress group by number
),
reported as (
    select c.number, r.host_id, r.event, r.failure_code, r.failure_message, min(r.time) as time
    from scratch.seeding_reports r left join scratch.seeding_copies c using (copy)
    where r.failure_code is not null or r.failure_message is not null
    group by all
),
owned as (
    select coalesce(r.number, any_value(c.number)) as number, r.number is null as is_unnamed, r.host_id, r.event,
           r.failure_code, r.failure_message, r.time
    from reported r left join scratch.seeding_copies c
      on r.number is null and c.host is not distinct from r.host_id
     and r.time between c.first - interval 60 seconds and c.last + interval 60 seconds
    group by r.number, r.host_id, r.event, r.failure_code, r.failure_message, r.time
    having r.number is not null or count(c.number) = 1
),
failed as (
    select number, min(time) filter (not is_unnamed) as time,
           list({'state': null::bigint,
                 'text': concat_ws(': ', 'error ' || failure_code, nullif(failure_message, '')),
                 'time': time,
                 'where': if(event like 'dm_%', 'sys.', 'hadr_physical_seeding_') || event || ' on '
                          || coalesce(host_id, 'an unknown host'),
                 'message_id': null::bigint} order by is_unnamed, time) as failures
    from owned group by number
),
ended as (
    select c.*, p.* exclude (number), r.* exclude (number), f.failures, f.time as failed_at,
           coalesce(case when c.ended between first - interval 60 seconds and last + interval 60 seconds
                         then c.ended end, p.over) as over_at,
           case when last_phase like 'Success%' then 'COMPLETED'
                when last_phase like 'Fail%' or f.time is not null then 'FAILED' end as became
    from scratch.seeding_copies c
    left join passed p using (number) left join progress r using (number) left join failed f using (number)
)
select 'physical' as layer, number, role, host, list_filter(['xel', 'dmv'], lambda each, n: if(n = 1, is_traced, is_exported)) as told_by,
       local_guid as local_id, remote_guid as remote_id, database, remote, states, first, last,
       -- What the event states, unless the first event of the copy contradicts it.
       case when started is null or started > first + interval 60 seconds
              or (coalesce(has_beginning, false) and started < first - interval 60 seconds) then first
            else started end as start,
       case when became = 'FAILED' then coalesce(over_at, failed_at) else over_at end as "end",
       case when over_at is not null then coalesce(became, 'COMPLETED') else became end as ended,
       transferred_bytes, database_bytes, disk_wait_ms, network_wait_ms, is_compression_enabled,
       case when retries <> 0 then retries + 1 end as attempts, failures,
       coalesce(reports, 0) as reports, first_report, last_report, last_rate, others_until
from ended order by number;
