-- What is a rowset, by the names of its columns? They are the same whichever script asked, whatever it calls the rowset;
-- NULL where nobody knows them.
create or replace macro scratch.kind_of_rowset(name, names) as
    case
           when (list_contains(names, 'database_name') and list_has_any(names, ['replica_name', 'replica_server_name', 'replica_id'])
                 and list_has_any(names, ['synchronization_state_desc', 'log_send_queue_size', 'redo_queue_size', 'is_suspended']))
             or (list_has_all(names, ['synchronization_state_desc'])
                 and list_has_any(names, ['database_name', 'database_id', 'group_database_id'])
                 and list_has_any(names, ['replica_id', 'replica_server_name', 'replica_name', 'is_local'])
                 and list_has_any(names, ['log_send_queue_size', 'redo_queue_size', 'is_suspended', 'suspend_reason_desc', 'secondary_lag_seconds']))
               then 'database_states'
           when list_has_all(names, ['replica_server_name', 'replica_id', 'role_desc', 'endpoint_url'])
             or (list_has_any(names, ['replica_server_name', 'replica_name']) and not list_has_any(names, ['database_name', 'database_id', 'routetothisserver', 'dns_name', 'listener_id', 'member_name'])
                 and list_has_any(names, ['role_desc', 'availability_mode_desc', 'failover_mode_desc', 'connected_state_desc']))
               then 'replicas'
           when list_has_all(names, ['primary_replica', 'failure_condition_level', 'health_check_timeout']) then 'groups'
           when list_has_all(names, ['dns_name', 'port']) then 'listeners'
           when list_has_all(names, ['listener_id', 'ip_address', 'ip_subnet_mask']) then 'listener_addresses'
           when list_has_all(names, ['whenthisserverisprimary', 'routetothisserver']) then 'routing'
           when list_has_all(names, ['cluster_name', 'quorum_type_desc']) then 'cluster'
           when list_has_all(names, ['member_name', 'number_of_quorum_votes']) then 'cluster_members'
           when list_has_all(names, ['availability group', 'timeout_setting_name', 'timeout_value']) then 'timeouts'
           when list_has_all(names, ['counter_name', 'instance_name', 'cntr_value']) then 'counter_values'
           when list_has_all(names, ['wait_type', 'waiting_tasks_count', 'wait_time_ms']) then 'waits'
           when list_has_all(names, ['runtime', 'dbid', 'fileid', 'numberreads', 'iostallreadms']) then 'file_io'
           when list_has_all(names, ['file_id', 'num_of_reads', 'num_of_writes', 'io_stall_read_ms'])
                and list_has_any(names, ['database_id', 'database_name']) then 'file_io'
           when list_has_all(names, ['runtime', 'physical_name', 'average_read_latency', 'average_write_latency'])
               then 'slow_files'
           when list_has_all(names, ['runtime', 'dbname', 'command', 'session_id', 'wait_type', 'wait_time'])
               then 'redo_tasks'
           when list_contains(names, 'vlf_count') and list_has_any(names, ['database_id', 'database_name', 'name']) then 'vlfs'
           when list_has_any(names, ['log space used (%)', 'used_log_space_in_percent', 'used_log_space_in_bytes'])
                and list_has_any(names, ['database name', 'database_name', 'name', 'database_id']) then 'log_space'
           when list_contains(names, 'name') and list_has_any(names, ['recovery_model_desc', 'log_reuse_wait_desc', 'is_encrypted']) then 'databases'
           when list_has_all(names, ['session_id', 'wait_type', 'command']) then 'requests'
           when list_has_all(names, ['version_store_kb', 'freespace_kb'])
                or list_has_all(names, ['version_store_reserved_page_count', 'unallocated_extent_page_count']) then 'tempdb_space'
           when list_has_all(names, ['reserved_page_count', 'reserved_space_kb']) then 'version_store_space'
           when list_has_all(names, ['session_id', 'elapsed_time_seconds'])
                and list_has_any(names, ['is_snapshot', 'transaction_sequence_num']) then 'snapshot_transactions'
           when list_has_all(names, ['session_id', 'database_transaction_begin_time', 'login_name'])
               then 'open_transactions'
           when list_has_all(names, ['runtime', 'head_blocker_session_id', 'stmt_text']) then 'head_blockers'
           when list_has_all(names, ['runtime', 'session_id', 'stmt_text']) then 'statements'
           when list_has_all(names, ['session_id', 'login_name'])
                and list_has_any(names, ['program_name', 'host_name', 'status', 'open_transaction_count']) then 'sessions'
           when list_has_all(names, ['database_name', 'object_name', 'statistics_name', 'modification_counter'])
               then 'statistics_of_tables'
           when names = [''] then 'look'
           when list_has_any(names, ['performed_seeding', 'local_physical_seeding_id', 'remote_physical_seeding_id'])
               then 'seeding'
           when list_has_all(names, ['propertyname', 'propertyvalue']) or list_has_all(names, ['traceflag', 'global'])
               or list_has_all(names, ['configuration_id', 'value_in_use', 'name'])
               or list_has_all(names, ['argsname', 'argsvalue']) or names = ['activeplanname']
               or names = ['fsutil_property', 'fsutil_value', 'volume']
               or (names = ['property', 'value'] and lower(name) = 'system_info')
               or (names = ['name', 'value'] and lower(name) = 'script and environment details') then 'facts'
    end;

-- What is each rowset, and what are its columns called? Scripts and PowerShell have names of their own: they count where the
-- names as written are of no known rowset.
create or replace table scratch.known_rowsets as
with named as (
    select capture_id, rowset, name, list_transform(columns, lambda c: lower(trim(c))) as written,
           list_transform(columns, lambda c: coalesce(map($aliases::varchar[], $canonical::varchar[])[regexp_replace(lower(trim(c)), '\s+', '_', 'g')],
                                                      lower(trim(c)))) as meant
    from rowset_heads
),
chosen as (
    select *, if(scratch.kind_of_rowset(name, written) is null and scratch.kind_of_rowset(name, meant) is not null, meant, written) as names
    from named
)
select capture_id, rowset, name, names, scratch.kind_of_rowset(name, names) as kind
from chosen;

-- A value of a row by the name of its column. Names repeat in some rowsets: the first one counts.
create or replace macro scratch.cell(names, cells, wanted) as cells[list_position(names, wanted)];
create or replace macro scratch.server(names, cells) as
    coalesce(scratch.cell(names, cells, 'replica_name'), scratch.cell(names, cells, 'replica_server_name'));
create or replace macro scratch.whole(names, cells, wanted) as
    try_cast(cells[list_position(names, wanted)] as bigint);
create or replace macro scratch.truth(names, cells, wanted) as
    case lower(cells[list_position(names, wanted)]) when '1' then true when 'true' then true when '0' then false when 'false' then false end;
create or replace macro scratch.id(names, cells, wanted) as
    nullif(nullif(lower(cells[list_position(names, wanted)]), '00000000-0000-0000-0000-000000000000'), '');

-- A word as the views write it, of one that SMO writes: NotSynchronizing, SynchronousCommit.
create or replace macro scratch.word(text, apart) as upper(regexp_replace(text, '([a-z])([A-Z])', '\1' || apart || '\2', 'g'));
