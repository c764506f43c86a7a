-- What does sys.dm_hadr_automatic_seeding say of each operation?
-- Of several looks at one operation that counts which knows most: a completion, then the number of
-- attempts. Each state is given with the first look that showed it. Columns are fields of `Part`, and three more.
with rows as (
    select capture_id, content_id, any_value(host_id) as host_id, item,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'start_time') as timestamp)) as start_written,
           scratch.seeding_time(try_cast(any_value(value) filter (key = 'completion_time') as timestamp)) as end_written,
           scratch.seeding_guid(any_value(value) filter (key = 'operation_id')) as operation_id,
           scratch.seeding_guid(any_value(value) filter (key = 'ag_id')) as ag_id,
           scratch.seeding_guid(any_value(value) filter (key = 'ag_db_id')) as database_guid,
           scratch.seeding_guid(any_value(value) filter (key = 'ag_remote_replica_id')) as remote_replica,
           try_cast(any_value(value) filter (key = 'is_source') as boolean) as is_source,
           any_value(value) filter (key = 'current_state') as state,
           try_cast(any_value(value) filter (key = 'performed_seeding') as boolean) as performed,
           try_cast(any_value(value) filter (key = 'failure_state') as integer) as failure_state,
           any_value(value) filter (key = 'failure_state_desc') as failure_text,
           nullif(try_cast(any_value(value) filter (key = 'error_code') as integer), 0) as error_code,
           try_cast(any_value(value) filter (key = 'number_of_attempts') as integer) as attempts,
           coalesce(any_value(value) filter (key = 'database_name'), any_value(value) filter (key = 'db_name'),
                    any_value(value) filter (key = 'database')) as database,
           coalesce(any_value(value) filter (key = 'ag_name'), any_value(value) filter (key = 'aag_name'),
                    any_value(value) filter (key = 'availability_group_name')) as ag,
           any_value(value) filter (key = 'replica_server_name') as replica,
           coalesce(scratch.seeding_time(try_cast(any_value(value) filter (key = 'sampled_utc') as timestamptz)), any_value(time))
           - to_microseconds(coalesce(any_value(k.ahead_us), 0)) as look
    from facts left join reference_clock k using (host_id) where topic = 'dm_hadr_automatic_seeding'
    group by capture_id, content_id, item
),
same as (
    select *, coalesce(host_id, '') || '|' || coalesce(is_source::varchar, '') || '|' || coalesce(operation_id, '') || '|'
              || coalesce(database_guid, lower(database), '') || '|' || coalesce(remote_replica, replica, '') || '|'
              || start_written::varchar as operation
    from rows where start_written is not null
),
states as (
    select operation, state, min(look) as look from same
    where state is not null and look is not null group by operation, state
),
looks as (
    select operation, list({'time': look, 'name': state} order by look, state) as looks from states group by operation
),
chosen as (
    select same.*, looks.looks, 'error ' || error_code as code,
           case when upper(state) in ('COMPLETED', 'FAILED') then upper(state)
                when end_written is not null then if(coalesce(failure_state, 0) <> 0, 'FAILED', 'COMPLETED') end as ended
    from same left join looks using (operation)
    qualify row_number() over (
        partition by operation
        order by (end_written is not null) desc, coalesce(attempts, 0) desc, look desc nulls last, content_id, item) = 1
)
select capture_id, replica, look, 'automatic' as layer, if(is_source, 'source', if(not is_source, 'target', null)) as role,
       host_id as host, ['dmv'] as told_by, list_filter([operation_id], lambda each: each is not null) as operation_ids,
       ag_id, database_guid, remote_replica as remote_id, database, ag, looks, start_written, end_written, ended, performed,
       attempts,
       case when coalesce(failure_state, 0) <> 0 or failure_text <> '' or coalesce(ended = 'FAILED', false)
            then [{'state': failure_state,
                   'text': coalesce(nullif(failure_text, '') || coalesce(' (' || code || ')', ''), code, ''),
                   'time': null::timestamptz,
                   'where': 'sys.dm_hadr_automatic_seeding on ' || coalesce(host_id, 'an unknown host'),
                   'message_id': null::integer}]
       end as failures
from chosen
order by start_written, operation;
