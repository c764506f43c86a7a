-- Which kind of event does a message number mean? Numbers, never words: logs are written in 21 languages.
create or replace table scratch.timeline_kinds as
select * from (values
    (1480, 'database_role'), (19406, 'replica_state'), (41074, 'preparing_primary'), (41075, 'preparing_resolving'),
    (19407, 'lease_expired'), (19419, 'lease_no_signal'), (19420, 'lease_stopped'), (19421, 'lease_no_cluster_signal'),
    (19422, 'lease_renewal_failed'), (19423, 'lease_not_valid'), (19424, 'lease_begun'), (41091, 'lease_offline'),
    (35201, 'connection_failed'), (35202, 'connected'), (35206, 'connection_timeout'), (35250, 'primary_not_active'),
    (35262, 'startup_skipped'), (35266, 'database_connected'), (35267, 'database_disconnected'),
    (35278, 'resynchronising'), (35264, 'movement_suspended'), (35265, 'movement_resumed'),
    (41093, 'resource_offline'), (41041, 'online_failed'), (41066, 'online_failed'), (41131, 'online_failed'), (41142, 'failover_refused'),
    (41143, 'ag_failed'), (41144, 'ag_failed'), (41653, 'database_failed'),
    (41048, 'cluster_unavailable'), (41049, 'node_offline'), (41055, 'node_online'),
    (17126, 'ready'), (17147, 'system_shutdown'), (17148, 'stop_requested'),
    (833, 'long_io'), (17890, 'memory_paged_out'), (701, 'out_of_memory'), (802, 'out_of_memory'),
    (17883, 'non_yielding'), (17884, 'deadlocked_schedulers'), (17887, 'non_yielding'), (17888, 'deadlocked_schedulers'), (35217, 'workers_exhausted'),
    (9001, 'log_not_available'), (823, 'io_error'), (824, 'io_error'), (825, 'io_error')
) as known (message_id, kind);

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
