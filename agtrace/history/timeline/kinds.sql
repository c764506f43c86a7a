-- Which kind of event does a message number mean? Numbers, never words: logs are written in 21 languages.
create or replace table scratch.timeline_kinds as
select * from (values
    (1480, 'database_role'), (19406, 'replica_state'), (41074, 'preparing_primary'), (41075, 'preparing_resolving'),
    (19407, 'lease_expired'), (19419, 'lease_no_signal'), (19420, 'lease_stopped'), (19421, 'lease_no_cluster_signal'),
    (19422, 'lease_renewal_failed'), (19423, 'lease_not_valid'), (19424, 'lease_begun'), (41091, 'lease_offline'),
    (35201, 'connection_failed'), (35202, 'connected'), (35206, 'connection_timeout'), (35250, 'primary_not_active'),
    (35262, 'startup_skipped'), (35266, 'database_connected'), (35267, 'database_disconnected'),
    (35278, 'resynchronising'), (35264, 'movement_suspended'), (35265, 'movement_resumed'),
    (41093, 'resource_offline'), (41041, 'node_unmapped'), (41096, 'replica_removed'), (41059, 'replica_removed'), (35299, 'reverting'), (19435, 'integrity_failed'), (41066, 'online_failed'), (41131, 'online_failed'), (41142, 'failover_refused'),
    (41143, 'ag_failed'), (41144, 'ag_failed'), (41653, 'database_failed'),
    (41048, 'cluster_unavailable'), (41049, 'node_offline'), (41055, 'node_online'),
    (17126, 'ready'), (17147, 'system_shutdown'), (17148, 'stop_requested'),
    (833, 'long_io'), (17890, 'memory_paged_out'), (701, 'out_of_memory'), (802, 'out_of_memory'),
    (17883, 'non_yielding'), (17884, 'deadlocked_schedulers'), (17887, 'non_yielding'), (17888, 'deadlocked_schedulers'), (35217, 'workers_exhausted'),
    (9001, 'log_not_available'), (17053, 'log_write_failed'), (3449, 'must_shut_down'),
    (823, 'io_error'), (824, 'page_damaged'), (825, 'read_retried'), (3456, 'redo_failed'), (3313, 'redo_failed'), (3314, 'undo_failed'),
    (8645, 'memory_grant_timeout'), (35279, 'join_refused'), (1412, 'join_refused'), (1478, 'join_refused'),
    (41160, 'failover_refused'), (41163, 'failover_refused'), (41161, 'ag_failed'),
    (912, 'start_failed'), (3417, 'start_failed'), (17051, 'edition_expired'), (945, 'database_closed'),
    (33111, 'certificate_missing'), (3633, 'filestream_failed'), (5123, 'file_not_made'), (5133, 'file_not_made'), (5149, 'volume_full'),
    (3437, 'recovery_needs_dtc'), (8510, 'dtc_failed'), (665, 'file_limit'),
    (1408, 'join_refused'), (41104, 'failover_refused'), (3624, 'exception'), (17310, 'exception'), (17311, 'exception'),
    (1101, 'file_full'), (1105, 'file_full'), (17120, 'not_listening'), (17182, 'not_listening'), (17826, 'not_listening'),
    (26023, 'not_listening'), (19432, 'log_block_missing')
) as known (message_id, kind);

-- And which text means one that has neither a number nor a template? English alone is known of it.
create or replace table scratch.timeline_texts as
select * from (values
    ('The operating system returned error 665(%', 'file_limit'),
    ('State information for database %Lsn: ''(0:0:0)''%', 'hardened_nothing')
) as known (pattern, kind);

-- Which kind is an entry whose number alone does not tell it? A full tempdb is another trouble than a full database. An
-- error of the sparse file of a snapshot (a stream of the database's file, or a limit of the file system, 665) says nothing
-- of the database.
create or replace macro scratch.kind_by_text(kind, said) as
    case when kind = 'file_full' and contains(lower(said), 'tempdb') then 'tempdb_full'
         when kind in ('io_error', 'log_write_failed') and (contains(said, ':MSSQL_DBCC') or regexp_matches(said, '\b665\('))
         then 'file_limit'
         else kind
    end;

-- Why could the cluster's resource not monitor an instance? It brings no group online where it cannot. By what ODBC
-- gives in every language where it gives one: SQLSTATE, number of the error; NULL where the text names no such reason.
create or replace macro scratch.monitor_failure(said) as
    case when not contains(said, '[hadrag] ODBC Error: [') then null
         when regexp_matches(said, '\((297|300)\)\s*$') or contains(said, 'does not have permission') then 'permission'
         when contains(said, 'ODBC Error: [28000]') then 'login'
         when contains(said, 'SSL Provider') or contains(said, 'Encryption not supported') then 'encryption'
         when contains(said, 'ODBC Error: [IM002]') then 'driver'
         when contains(said, 'No client protocols are enabled') or contains(said, 't support requested protocol') then 'protocol'
         when contains(said, 'Unable to complete login process due to delay') or contains(said, 'Login timeout expired') then 'delay'
    end;
