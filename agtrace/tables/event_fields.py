"""Types of fields of Extended Events that queries rely on, whatever type a file declares.

A file declares the types of its own fields, and may be damaged or forged: one changed byte turns text into
binary. Queries over these fields rely on the types declared here; all other fields have the types that the
files declare.
"""

from __future__ import annotations

TEXT = "VARCHAR"
PERCENT = "SMALLINT"
NUMBER = "INTEGER"
LONG = "BIGINT"

_NAMES = {
    "availability_group_id": TEXT,
    "availability_group_name": TEXT,
    "availability_replica_id": TEXT,
    "availability_replica_name": TEXT,
}

EXPECTED: dict[str, dict[str, str]] = {
    "alwayson_ddl_executed": _NAMES | {"ddl_action": TEXT, "ddl_phase": TEXT, "statement": TEXT},
    "availability_group_is_alive_failure": _NAMES | {"reason": TEXT},
    "availability_group_lease_expired": _NAMES | {"state": TEXT},
    "availability_group_state_change": _NAMES | {"target_state": TEXT},
    "availability_replica_automatic_failover_validation": _NAMES,
    "availability_replica_state": _NAMES,
    "availability_replica_state_change": _NAMES | {"previous_state": TEXT, "current_state": TEXT},
    "component_health_result": {
        "component": TEXT,
        "state_desc": TEXT,
        "data": TEXT,
        "failure_condition_level": NUMBER,
    },
    "error_reported": {"error_number": NUMBER, "message": TEXT},
    "hadr_database_flow_control_action": {"database_replica_id": TEXT, "control_action": TEXT},
    "hadr_db_commit_mgr_harden": {"ag_database_id": TEXT, "time_to_commit": LONG},
    "hadr_trace_message": {"hadr_message": TEXT},
    "hadr_transport_flow_control_action": {"target_availability_replica_id": TEXT, "control_action": TEXT},
    "info_message": {"data": TEXT},
    "lock_redo_blocked": {"database_name": TEXT},
    "scheduler_monitor_system_health_ring_buffer_recorded": {
        "system_idle": PERCENT,
        "process_utilization": PERCENT,
    },
    "sp_server_diagnostics_component_result": {"component": TEXT, "state": TEXT, "data": TEXT},
    "sql_exit_invoked": {"shutdown_option": TEXT},
    "ucs_connection_setup": {"error_number": LONG, "error_message": TEXT},
    "wait_info": {"wait_type": TEXT, "duration": LONG},
}
"""By event and field, the type of DuckDB."""
