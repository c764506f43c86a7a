"""The events that samples of availability groups, seeding and backups are made of.

Each is named as the server names it, with its fields in their order, for `xel.Event`.
"""

from __future__ import annotations

from simulation.formats.xel_schema import EventSchema, Map, Package, event_schema

SQLMIN = Package("sqlserver", "Extended events for Microsoft SQL Server", number=2)
"""The second package of the name sqlserver: storage and availability groups."""

GROUP = {"availability_group_id": "guid", "availability_group_name": "unicode_string"}
DATABASE = {"group_id": "guid", "replica_id": "guid", "ag_database_id": "guid"}

ERROR_CATEGORY = Map(
    "error_category",
    dict(enumerate(["SERVER", "FAILOVER", "LOGON", "SECAUDIT", "BACKUP", "SQLSNMP"], 2)),
    size=1,
)
ERROR_DESTINATION = Map(
    "error_destination",
    {1: "DEFAULT", 2: "USER", 4: "ERRORLOG", 8: "EVENTLOG", 16: "BUFFER", 32: "FILE"},
    flags=True,
)
REPLICA_STATUS = Map("hadr_availability_replica_status", {0: "Starting", 1: "Stopping"})
REPLICA_ROLE = Map(
    "hadr_availability_replica_role",
    {
        0: "RESOLVING_NORMAL",
        1: "RESOLVING_PENDING_FAILOVER",
        2: "PRIMARY_PENDING",
        3: "PRIMARY_NORMAL",
        4: "SECONDARY_NORMAL",
        5: "NOT_AVAILABLE",
        6: "GLOBAL_PRIMARY",
        7: "FORWARDER",
        8: "COUNT",
    },
)
MANAGER_STATE = Map(
    "availability_replica_manager_state", {0: "PENDING_WSFC_COMMUNICATION", 1: "ONLINE", 2: "OFFLINE"}
)
COMMIT_POLICY = Map(
    "hadr_commit_policy", dict(enumerate(["DoNothing", "Delay", "WaitForHarden", "KillAll", "ArrayLast"]))
)
SYNC_STATE = Map(
    "hadr_sync_state",
    {0: "NOT_JOINED", 1: "NOT", 2: "SUSPENDED", 4: "LOG", 8: "REDO", 12: "LAST", 128: "INVALID"},
)
LEASE_STATE = Map(
    "hadr_lease_worker_states",
    {
        0: "LeaseWorkerStarted",
        1: "StartedExcessLeaseSleep",
        2: "FailedExcessSleepInvalidOnlineLease",
        3: "SkipExcessSleep",
        4: "ExcessSleepSucceeded",
        5: "RenewSucceeded",
        6: "LeaseNotValid",
        7: "StopLeaseRenewal",
        8: "LeaseExpired",
        9: "FailedWithWindowsError",
        10: "Last",
    },
)
DDL_ACTION = Map("alwayson_ddl_action", {0: "create", 1: "drop", 2: "alter"}, size=1)
DDL_PHASE = Map("ddl_opcode", {0: "begin", 1: "commit", 2: "rollback"}, size=1)
BACKUP_STATE = Map(
    "hadr_physical_seeding_backup_state",
    {
        0: "Inital",
        1: "WaitingForRestoreToStart",
        2: "ReadingAndSendingData",
        3: "SendingData",
        4: "WaitingForRestoreToFinish",
        5: "SuccessWaitingForAsyncCallback",
        6: "FailureWaitingForAsyncCallback",
        7: "Success",
        8: "Failed",
        9: "Count",
    },
)
"""The server itself writes ``Inital``."""
RESTORE_STATE = Map(
    "hadr_physical_seeding_restore_state",
    {
        0: "Inital",
        1: "WaitingForBackupToStartSending",
        2: "ReceivingAndWritingData",
        3: "WaitingForRestoreToFinish",
        4: "SuccessWaitingForAsyncCallback",
        5: "FailureWaitingForAsyncCallback",
        6: "WaitingForBackupToAckSuccess",
        7: "WaitingForBackupToAckFailure",
        8: "Success",
        9: "Failed",
        10: "Count",
    },
)
OPERATION_TYPE = Map("backup_restore_operation_type", {0: "Backup", 1: "Restore"}, size=1)
TRACE_LEVEL = Map(
    "backup_restore_trace_level",
    {0: "Information of major steps in the operation", 1: "Verbose I/O related information"},
    size=1,
)

SEEDING = {"operation_id": "guid", "ag_id": "guid", "ag_db_id": "guid", "ag_remote_replica_id": "guid"}
PROGRESS = {
    "transferred_size_bytes": "uint64",
    "transfer_rate_bytes_per_second": "uint64",
    "database_size_bytes": "uint64",
    "seeding_start_time": "filetime",
    "seeding_end_time": "filetime",
    "estimated_completion_time": "filetime",
    "total_disk_io_wait_time_ms": "uint64",
    "total_network_wait_time_ms": "uint64",
    "is_compression_enabled": "boolean",
    "failure_code": "uint32",
    "local_seeding_guid": "guid",
    "remote_seeding_guid": "guid",
    "database_name": "unicode_string",
    "role_desc": "unicode_string",
    "remote_machine_name": "unicode_string",
    "failure_message": "unicode_string",
    "internal_state_desc": "unicode_string",
}
"""What most events of physical seeding carry."""

ALWAYSON_HEALTH = [
    event_schema(
        "error_reported",
        {
            "error_number": "int32",
            "severity": "int32",
            "state": "int32",
            "user_defined": "boolean",
            "category": ERROR_CATEGORY,
            "destination": ERROR_DESTINATION,
            "is_intercepted": "boolean",
            "message": "unicode_string",
        },
        uuid="ee44762d-6e6d-4f0c-bf6b-a16f862f33d4",
    ),
    event_schema(
        "hadr_db_partner_set_sync_state",
        {
            "database_id": "uint32",
            "commit_policy": COMMIT_POLICY,
            "commit_policy_target": COMMIT_POLICY,
            "sync_state": SYNC_STATE,
            "sync_log_block": "uint64",
            **DATABASE,
        },
        package=SQLMIN,
        uuid="38625c7b-1db9-4fb3-b637-3e5fa24fb6c3",
    ),
    event_schema(
        "availability_replica_state",
        {"current_state": REPLICA_STATUS, **GROUP, "availability_replica_id": "guid"},
        package=SQLMIN,
        uuid="e0c1c073-03e0-4de5-af91-f0f5e7a9d065",
    ),
    event_schema(
        "availability_replica_state_change",
        {
            "previous_state": REPLICA_ROLE,
            "current_state": REPLICA_ROLE,
            **GROUP,
            "availability_replica_id": "guid",
            "availability_replica_name": "unicode_string",
        },
        package=SQLMIN,
        uuid="b989b90e-a2eb-4176-9c07-c7f56045539f",
    ),
    event_schema(
        "availability_replica_manager_state_change",
        {"current_state": MANAGER_STATE},
        package=SQLMIN,
        uuid="e29669fb-38f7-456f-bdd5-340ac42a541e",
    ),
    event_schema(
        "availability_group_lease_expired",
        {
            "new_timeout": "uint64",
            "current_time": "uint64",
            "lease_interval": "uint64",
            "state": LEASE_STATE,
            **GROUP,
        },
        package=SQLMIN,
        uuid="98d27d0d-4197-4707-b434-2c39a6ce8cc6",
    ),
    event_schema(
        "alwayson_ddl_executed",
        {
            "ddl_action": DDL_ACTION,
            "ddl_phase": DDL_PHASE,
            "statement": "unicode_string",
            **GROUP,
            "nt_username": "unicode_string",
            "client_hostname": "unicode_string",
            "client_app_name": "unicode_string",
        },
        package=SQLMIN,
        uuid="29777cc6-8145-490d-aff2-36e18d2785fc",
    ),
    event_schema(
        "availability_replica_automatic_failover_validation",
        {
            "forced_quorum": "boolean",
            "joined_and_synchronized": "boolean",
            "previous_primary_or_automatic_failover_target": "boolean",
            **GROUP,
            "availability_replica_id": "guid",
            "availability_replica_name": "unicode_string",
        },
        package=SQLMIN,
        uuid="1dbad0d7-5b6f-443c-b25b-58f48fa451be",
    ),
]


def _seeding_state_change(side: str, states: Map, uuid: str) -> EventSchema:
    return event_schema(
        f"hadr_physical_seeding_{side}_state_change",
        {"database_id": "uint32", "old_state": states, "new_state": states, **PROGRESS},
        package=SQLMIN,
        uuid=uuid,
    )


AUTOMATIC_SEEDING = [
    event_schema(
        "hadr_automatic_seeding_start",
        {"is_source": "boolean", "operation_attempt_number": "int32", **SEEDING},
        package=SQLMIN,
        uuid="e76fa758-2e6a-4813-9e9e-58b7027bf66b",
    ),
    event_schema(
        "hadr_automatic_seeding_state_transition",
        {
            "is_source": "boolean",
            **SEEDING,
            "previous_state": "unicode_string",
            "current_state": "unicode_string",
        },
        package=SQLMIN,
        uuid="b2e14527-5e7f-437b-bf4e-b56a61ec1e4e",
    ),
    event_schema(
        "hadr_automatic_seeding_success",
        {"is_source": "boolean", "required_seeding": "boolean", **SEEDING},
        package=SQLMIN,
        uuid="0b1c0023-6e73-401b-937a-cf6a35816eae",
    ),
    event_schema(
        "hadr_automatic_seeding_failure",
        {"is_source": "boolean", "failure_state": "int32", **SEEDING, "failure_state_desc": "unicode_string"},
        package=SQLMIN,
        uuid="4a718e5f-b431-430a-9e71-db1886361f6f",
    ),
    event_schema(
        "hadr_automatic_seeding_timeout",
        {"is_source": "boolean", "timeout_ms": "uint32", **SEEDING},
        package=SQLMIN,
        uuid="7b2b912c-d92c-4498-aa6e-32985575114f",
    ),
]
PHYSICAL_SEEDING = [
    _seeding_state_change("backup", BACKUP_STATE, "941ca734-599e-4680-94d1-268b4c497200"),
    _seeding_state_change("restore", RESTORE_STATE, "45102d1f-90ae-4fff-9388-2eb09ff3cb28"),
    event_schema(
        "hadr_physical_seeding_progress",
        {"database_id": "uint32", "transfer_rate_bytes_per_second": "uint64", **PROGRESS},
        package=SQLMIN,
        uuid="ea668266-0a2a-4289-b313-17eb14caca69",
    ),
    event_schema(
        "hadr_physical_seeding_submit_callback",
        {"database_id": "uint32", "retry_count": "uint32", **PROGRESS},
        package=SQLMIN,
        uuid="a6dd353e-da95-4464-b022-557dc8c98a3a",
    ),
    event_schema(
        "hadr_physical_seeding_failure",
        {
            "failure_code": "uint32",
            "local_seeding_guid": "guid",
            "database_name": "unicode_string",
            "failure_message": "unicode_string",
        },
        package=SQLMIN,
        uuid="716a0c3a-4e2b-421c-ba75-80ad5436f7d1",
    ),
    event_schema(
        "hadr_physical_seeding_schedule_long_task_failure",
        {"failure_code": "uint32", "enqueue_type_node": "boolean", "failure_message": "unicode_string"},
        package=SQLMIN,
        uuid="e90b2fff-696b-4ead-83ab-36ed139fe5da",
    ),
]
BACKUP_TRACE = [
    event_schema(
        "backup_restore_progress_trace",
        {
            "operation_type": OPERATION_TYPE,
            "trace_level": TRACE_LEVEL,
            "database_name": "unicode_string",
            "trace_message": "unicode_string",
        },
        package=SQLMIN,
        uuid="92c4d441-5442-40d7-83d9-3b0250920361",
    )
]
SCHEMAS = {
    schema.name: schema for schema in [*ALWAYSON_HEALTH, *AUTOMATIC_SEEDING, *PHYSICAL_SEEDING, *BACKUP_TRACE]
}
"""All of them, by name."""
