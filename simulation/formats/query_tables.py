"""Results of queries over the views that people send, for each two rows with invented names.

Source of the columns: Microsoft Learn, the page of each view; whoisactive.com for sp_WhoIsActive.
"""

from __future__ import annotations

from datetime import datetime

from simulation.formats.query_results import Cell, Result

_AT, _LATER = datetime(2026, 3, 2, 10, 15, 30, 123_000), datetime(2026, 3, 2, 10, 20)
_GROUP, _FIRST, _SECOND = (f"{letter * 8}-1111-4222-8333-0123456789AB" for letter in "ABC")


def _result(columns: str, *rows: tuple[Cell, ...]) -> Result:
    """Return a result; widths of types follow from the values of the first row."""
    names = columns.split()
    widths = [
        23 if isinstance(cell, datetime) else -20 if isinstance(cell, int) else max(len(str(cell)), 36)
        for cell in rows[0]
    ]
    return Result(tuple(zip(names, widths, strict=True)), rows)


TABLES = {
    "database_replica_states": _result(
        "replica_server_name database_name is_local synchronization_state_desc is_suspended"
        " suspend_reason_desc log_send_queue_size redo_queue_size last_hardened_time",
        ("SRV1", "Sales", True, "SYNCHRONIZED", False, None, 0, 0, _AT),
        ("SRV2", "Sales", False, "NOT SYNCHRONIZING", True, "SUSPEND_FROM_REDO", 18233, 40960, _LATER),
    ),
    "replica_states": _result(
        "group_name replica_server_name replica_id endpoint_url availability_mode_desc failover_mode_desc"
        " session_timeout is_local role_desc connected_state_desc synchronization_health_desc",
        ("AG1", "SRV1", _FIRST, "TCP://SRV1:5022", "SYNCHRONOUS_COMMIT", "AUTOMATIC", 10, True, "PRIMARY",
         "CONNECTED", "HEALTHY"),
        ("AG1", "SRV2", _SECOND, "TCP://SRV2:5022", "SYNCHRONOUS_COMMIT", "MANUAL", 10, False, "SECONDARY",
         "DISCONNECTED", "NOT_HEALTHY"),
    ),
    "groups": _result(
        "group_id name primary_replica failure_condition_level health_check_timeout"
        " synchronization_health_desc",
        (_GROUP, "AG1", "SRV1", 3, 30000, "HEALTHY"),
        (_SECOND, "AG2", "SRV2", 3, 60000, "PARTIALLY_HEALTHY"),
    ),
    "cluster": _result("cluster_name quorum_type_desc quorum_state_desc",
        ("CLU1", "NODE_MAJORITY", "NORMAL_QUORUM"), ("CLU2", "NODE_MAJORITY", "NORMAL_QUORUM")),
    "cluster_members": _result("member_name member_type_desc member_state_desc number_of_quorum_votes",
        ("SRV1", "CLUSTER_NODE", "UP", 1), ("SRV2", "CLUSTER_NODE", "DOWN", 0)),
    "cluster_networks": _result(
        "member_name network_subnet_ip network_subnet_ipv4_mask is_public",
        ("SRV1", "10.0.0.0", "255.255.255.0", True), ("SRV2", "10.0.1.0", "255.255.255.0", False)),
    "databases_cluster": _result("group_id group_database_id database_name truncation_lsn",
        (_GROUP, _FIRST, "Sales", "34000000012300001"), (_GROUP, _SECOND, "HR", "35000000012300001")),
    "listeners": _result("group_id listener_id dns_name port is_conformant",
        (_GROUP, _FIRST, "sales-ag", 1433, True), (_GROUP, _SECOND, "hr-ag", 1434, False)),
    "auto_page_repair": _result(
        "database_id file_id page_id error_type page_status modification_time",
        (5, 1, 143, 2, 5, _AT), (5, 1, 144, -1, 2, _LATER)),
    "wait_stats": _result(
        "wait_type waiting_tasks_count wait_time_ms max_wait_time_ms signal_wait_time_ms",
        ("HADR_SYNC_COMMIT", 12345, 998877, 3210, 44), ("WRITELOG", 22345, 88776, 321, 55)),
    "file_stats": _result(
        "sample_time database_name file_id num_of_reads io_stall_read_ms num_of_writes io_stall_write_ms",
        (_AT, "Sales", 1, 10, 100, 20, 400), (_AT, "Sales", 2, 30, 300, 40, 800)),
    "requests": _result(
        "session_id status command wait_type wait_time blocking_session_id wait_resource",
        (52, "suspended", "DB STARTUP", "LCK_M_SCH_M", 5500, 76, "OBJECT: 5:1977058079:0"),
        (76, "running", "SELECT", None, 0, 0, "")),
    "log_space": _result("database_name total_log_size_in_bytes used_log_space_in_bytes vlf_count",
        ("Sales", 1073741824, 536870912, 412), ("HR", 8388608, 1048576, 8)),
    "databases": _result(
        "name database_id recovery_model_desc log_reuse_wait_desc is_encrypted",
        ("Sales", 5, "FULL", "AVAILABILITY_REPLICA", True), ("HR", 6, "FULL", "NOTHING", False)),
    "configurations": _result("configuration_id name value value_in_use",
        (1539, "max degree of parallelism", 8, 8), (503, "max worker threads", 0, 0)),
    "backupset": _result(
        "database_name type backup_start_date backup_finish_date backup_size physical_device_name",
        ("Sales", "D", _AT, _LATER, 1073741824, "D:\\backup\\sales.bak"),
        ("Sales", "L", _AT, _LATER, 1048576, "D:\\backup\\sales.trn")),
    "job_history": _result("job_name step_name run_status run_date run_time run_duration message",
        ("LogBackup", "(Job outcome)", 0, 20260302, 101500, 12, "The job failed."),
        ("LogBackup", "Backup", 1, 20260302, 102000, 12, "The step succeeded.")),
    "endpoints": _result("name state_desc role_desc connection_auth_desc encryption_algorithm_desc port",
        ("Hadr_endpoint", "STARTED", "ALL", "CERTIFICATE", "AES", 5022),
        ("Mirroring", "STOPPED", "ALL", "NTLM, KERBEROS", "AES", 5023)),
    "version_store": _result(
        "session_id elapsed_time_seconds transaction_sequence_num is_snapshot",
        (61, 28800, 991, True), (62, 12, 992, False)),
    "who_is_active": _result(
        "session_id sql_text login_name wait_info blocking_session_id database_name program_name start_time",
        (52, "select 1", "app", "(5500ms)LCK_M_SCH_M", 76, "Sales", "App", _AT),
        (76, "select 2", "app", None, None, "Sales", "App", _LATER)),
}  # fmt: skip
