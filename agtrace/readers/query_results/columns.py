"""Names of columns by which a table is one of a server's own views, or has a time."""

from __future__ import annotations

from collections.abc import Sequence

from agtrace.readers.query_results.seeding.columns import SIGNS as SEEDING
from agtrace.tables.rowset_names import ALIASES, DISTINCTIVE

VIEWS = frozenset(
    {
        "availability_mode_desc", "backup_finish_date", "backup_set_id", "backup_start_date",
        "blocking_session_id", "cntr_type", "connected_state_desc", "connection_auth_desc", "createlsn",
        "database_transaction_begin_time", "dd_hh:mm:ss.mss", "destination_database_name", "dns_name",
        "elapsed_time_seconds", "encryption_algorithm_desc", "endpoint_url", "failover_mode_desc",
        "failure_condition_level", "freespace_kb", "fseqno", "group_database_id", "head_blocker_session_id",
        "health_check_timeout", "io_stall_read_ms", "is_encrypted", "is_failover_ready",
        "is_primary_replica", "is_suspended", "last_commit_time", "last_hardened_lsn", "last_hardened_time",
        "last_redone_lsn", "last_redone_time", "last_request_end_time", "last_request_start_time",
        "lastwaittype", "listener_id", "log_backup_time", "log_reuse_wait_desc", "log_send_queue_size",
        "log_send_rate", "log_since_last_log_backup_mb", "log_size_(mb)", "log_space_used_(%)",
        "low_water_mark_for_ghosts", "max_wait_time_ms", "network_subnet_ip", "network_subnet_ipv4_mask",
        "num_of_reads", "number_of_quorum_votes", "open_transaction_count", "operational_state_desc",
        "page_status", "quorum_type_desc", "read_only_routing_url", "recovery_health_desc",
        "recovery_model_desc", "redo_queue_size", "redo_rate", "replica_server_name", "restore_history_id",
        "ring_buffer_type", "run_duration", "secondary_lag_seconds",
        "secondary_role_allow_connections_desc", "signal_wait_time_ms", "startoffset",
        "suspend_reason_desc", "synchronization_health_desc", "synchronization_state_desc", "traceflag",
        "transaction_sequence_num", "truncation_lsn", "unallocated_extent_page_count",
        "used_log_space_in_bytes", "used_log_space_in_percent", "value_in_use", "version_store_kb",
        "reserved_space_kb", "version_store_reserved_page_count", "vlf_active", "vlf_begin_offset",
        "vlf_count", "vlf_size_mb",
        "wait_info", "wait_resource", "wait_time_ms", "wait_type", "waiting_tasks_count", "waitresource",
    }
)  # fmt: skip
"""Columns of dynamic management and catalog views that other programs' tables do not have."""

COMMON = frozenset(
    {
        "session_id", "login_name", "host_name", "program_name", "login_time", "command", "database_id",
        "database_name", "transaction_id", "group_id", "replica_id", "is_local", "role_desc",
    }
)  # fmt: skip
"""Columns of such views that other tables may have, too."""
LEAST_COMMON = 3

TIMES = (
    "runtime", "sample_time", "collection_time", "capture_time", "snapshot_time", "sample_date",
    "collected_at", "collection_date", "capture_date", "collected_on", "captured_at", "sampled_at",
    "snapshot_date", "poll_time", "polled_at", "check_time", "check_date", "log_time", "logged_at",
    "event_time", "insert_time", "time_stamp", "timestamp", "datetime", "date_time", "current_time",
    "now", "getdate",
)  # fmt: skip
"""Names of time columns in scripts, in order of preference."""

_COUNTERS = {"counter_name", "cntr_value"}
_LOOKED_AT = {*_COUNTERS, "instance_name"}


def is_view(names: Sequence[str]) -> bool:
    """Return whether names of columns, as they compare, are those of a server's own view."""
    there = {*names, *(ALIASES[name] for name in names if name in DISTINCTIVE)}
    if not (there & VIEWS or len(there & COMMON) >= LEAST_COMMON or there >= _LOOKED_AT):
        return False
    # With a time column the rows are samples (counter_rows); without one their time is unknown.
    return not there >= _COUNTERS or time_column(names) is None


def time_column(names: Sequence[str]) -> int | None:
    """Return the position of the column with the time of a row."""
    return next((names.index(name) for name in TIMES if name in names), None)


SIGNS = tuple(sorted({*VIEWS, *COMMON, *SEEDING, *DISTINCTIVE, "cntr_value", "priority"}))
"""Words of which at least one is in every text with a table to be read."""
