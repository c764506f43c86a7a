"""The recognised messages, and the meaning of their arguments.

docs/formats/errorlog.md has their groups in sections 3 and 6 to 8. The wording of each message, per
language, is in ``templates.tsv``; texts that are hard-coded in the product and English everywhere are
patterns here. An empty argument name is matched and not kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

STARTUP = "startup"
"""Topic of what becomes start-up facts."""

TRACE_FLAG = "trace_flag"
"""Topic of DBCC TRACEON and TRACEOFF, which become facts."""


@dataclass(frozen=True)
class Message:
    """A message of sys.messages.

    Parameters
    ----------
    id
        Its number.
    topic
        Topic of its rows.
    arguments
        Field name of %1, %2, ... of the template.
    says
        Fields that the wording itself states.
    heads
        Start of the text if the template begins with an argument.
    """

    id: int
    topic: str
    arguments: tuple[str, ...] = ()
    says: dict[str, str] = field(default_factory=dict)
    heads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Literal:
    """A text that is in no message table: what it begins with, and an RE2 pattern with named groups."""

    topic: str
    prefix: str
    pattern: str
    says: dict[str, str] = field(default_factory=dict)


# fmt: off
NUMBERS = frozenset((
    "pages", "devices", "count", "seconds", "database_id", "duration_ms", "milliseconds",
    "working_set_kb", "committed_kb", "utilization_percent", "pool_size", "percent",
    "seconds_remaining", "phase_number", "analysis_ms", "redo_ms", "undo_ms", "transactions",
    "process_id", "last_process_id", "memory_mb", "sockets", "cores_per_socket", "logical_per_socket",
    "logical_processors", "licensed_processors", "language_lcid", "source_id", "windows_error",
    "error", "ms", "hours", "minutes", "duration_s", "required_bytes", "available_bytes",
    "old_value", "new_value",
))
# fmt: on
LSNS = frozenset(("first_lsn", "last_lsn", "full_backup_lsn", "recovery_lsn", "lsn"))
VERBATIM = frozenset(("parameters",))
"""Arguments that keep the blanks and line ends before them."""

DECIMALS = frozenset(("rate_seconds", "mb_per_s"))

_BACKED_UP = ("database", "creation_date", "creation_time")
_LSN = ("first_lsn", "last_lsn")
_DEVICES = ("devices", "device_info")
_DEVICE_STEPS = tuple(f"Backup{name}" for name in ("Disk", "Io", "Virtual", "Medium", "Tape", "Url", "File"))
_STATEMENT = ("BACKUP", "RESTORE", "VERIFY")

BACKUPS = (
    Message(18264, "backup", (*_BACKED_UP, "pages", *_LSN, *_DEVICES), {"kind": "full"}),
    Message(18265, "backup", (*_BACKED_UP, *_LSN, *_DEVICES), {"kind": "log"}),
    Message(18266, "backup", (*_BACKED_UP, "files", "pages", *_DEVICES), {"kind": "file"}),
    Message(
        18270, "backup", (*_BACKED_UP, "pages", *_LSN, "full_backup_lsn", *_DEVICES), {"kind": "differential"}
    ),
    Message(18267, "restore", (*_BACKED_UP, *_LSN, *_DEVICES), {"kind": "full"}),
    Message(18268, "restore", (*_BACKED_UP, *_LSN, *_DEVICES), {"kind": "log"}),
    Message(18269, "restore", (*_BACKED_UP, "files", *_DEVICES), {"kind": "file"}),
    Message(18271, "restore", (*_BACKED_UP, *_LSN, *_DEVICES), {"kind": "differential"}),
    Message(3014, "backup_rate", ("statement", "pages", "rate_seconds", "mb_per_s"), heads=_STATEMENT),
    Message(3041, "backup_failed", ("command",), {"reason": "command_failed"}),
    Message(3013, "backup_failed", ("statement",), {"reason": "terminated"}, heads=_STATEMENT),
    Message(3201, "backup_failed", ("device", "os_error"), {"reason": "cannot_open_device"}),
    Message(3202, "backup_failed", ("device", "os_error"), {"reason": "write_failed"}),
    Message(3203, "backup_failed", ("device", "os_error"), {"reason": "read_failed"}),
    Message(3271, "backup_failed", ("device", "os_error"), {"reason": "io_error"}),
    Message(3257, "backup_failed", ("device", "required_bytes", "available_bytes"), {"reason": "no_space"}),
    Message(3154, "backup_failed", ("database",), {"reason": "other_database"}),
    Message(3156, "backup_failed", ("file", "path"), {"reason": "cannot_place_file"}),
    Message(3241, "backup_failed", ("device",), {"reason": "bad_media"}),
    Message(3043, "backup_failed", ("database", "", "", "file"), {"reason": "damaged_page"}),
    Message(3063, "backup_failed", ("device",), {"reason": "block_limit"}),
    Message(
        18204,
        "backup_failed",
        ("step", "device", "action", "os_error"),
        {"reason": "cannot_open_device"},
        heads=_DEVICE_STEPS,
    ),
    Message(
        18210,
        "backup_failed",
        ("step", "action", "device", "os_error"),
        {"reason": "io_error"},
        heads=_DEVICE_STEPS,
    ),
    Literal(
        "backup_to_url",
        "BackupToUrl process initiated",
        r"^BackupToUrl process initiated with PID: (?P<process_id>[0-9]+), for database name "
        r"\[(?P<database>.*?)\]",
    ),
    Message(3197, "frozen", ("database",)),
    Message(3198, "resumed", ("database",)),
)

AVAILABILITY = (
    Message(1480, "role_change", ("kind", "database", "old_role", "new_role", "reason")),
    Message(19406, "replica_state", ("ag", "old_state", "new_state", "reason")),
    Message(19407, "lease", ("ag",), {"event": "expired"}),
    Message(19419, "lease", ("ag",), {"event": "no_signal_from_sql_server"}),
    Message(19420, "lease", ("ag",), {"event": "stop_requested"}),
    Message(19421, "lease", ("ag",), {"event": "no_signal_from_cluster"}),
    Message(19422, "lease", ("ag", "windows_error"), {"event": "renewal_failed"}),
    Message(19423, "lease", ("ag",), {"event": "no_longer_valid"}),
    Message(19424, "lease", ("ag", "ms"), {"event": "excess_time"}),
    Message(35201, "connection", ("replica", "replica_id"), {"event": "timeout_establishing"}),
    Message(
        35202,
        "connection",
        ("ag", "from_replica", "from_replica_id", "replica", "replica_id"),
        {"event": "established"},
    ),
    Message(35206, "connection", ("replica", "replica_id"), {"event": "timeout"}),
    Message(35250, "connection", (), {"event": "primary_not_active"}),
    Message(35262, "database_connection", ("database", "group_id"), {"event": "startup_skipped"}),
    Message(
        35266,
        "database_connection",
        ("remote_role", "role", "database", "replica", "replica_id"),
        {"event": "established"},
    ),
    Message(
        35267,
        "database_connection",
        ("remote_role", "role", "database", "replica", "replica_id"),
        {"event": "terminated"},
    ),
    Message(35278, "database_connection", ("database",), {"event": "restarted_to_resynchronise"}),
    Message(
        35264, "data_movement", ("database", "reason", "source_id", "source_string"), {"event": "suspended"}
    ),
    Message(35265, "data_movement", ("database",), {"event": "resumed"}),
    Message(35285, "recovery_lsn", ("recovery_lsn", "database_id")),
    Message(35286, "recovery_lsn", ("recovery_lsn", "database_id")),
    Message(41074, "preparing", ("ag",), {"new_role": "PRIMARY"}),
    Message(41075, "preparing", ("ag",), {"new_role": "RESOLVING"}),
    Message(41066, "ag_failure", ("resource_id", "error"), {"reason": "cannot_bring_online"}),
    Message(41091, "ag_failure", ("ag",), {"reason": "lease_lost"}),
    Message(41093, "ag_failure", ("ag",), {"reason": "resource_not_online"}),
    Message(41131, "ag_failure", ("ag",), {"reason": "online_timeout"}),
    Message(41142, "ag_failure", ("ag",), {"reason": "not_synchronised"}),
    Message(41143, "ag_failure", ("ag",), {"reason": "failed_state"}),
    Message(41144, "ag_failure", ("ag", "error"), {"reason": "configuration_unreadable"}),
    Message(
        41653, "ag_failure", ("database", "error_type", "error_name", "ag"), {"reason": "database_error"}
    ),
    Message(41048, "cluster", (), {"event": "service_unavailable"}),
    Message(41049, "cluster", (), {"event": "node_offline"}),
    Message(41051, "cluster", (), {"event": "service_started"}),
    Message(41053, "cluster", (), {"event": "node_started"}),
    Message(41055, "cluster", (), {"event": "node_online"}),
    Message(41092, "replica_manager", ("reason",), {"event": "going_offline"}),
    Message(41058, "replica_manager", ("ag",), {"event": "replica_starting"}),
    Message(41061, "replica_manager", ("ag",), {"event": "replica_stopping"}),
    Message(976, "database_unavailable", ("database",), {"reason": "not_accessible"}),
    Message(983, "database_unavailable", ("database",), {"reason": "role"}),
    Message(988, "database_unavailable", ("database",), {"reason": "quorum"}),
    Message(9002, "database_fault", ("database", "reason"), {"event": "log_full"}),
    Message(3414, "database_fault", ("database", "", ""), {"event": "not_recovered"}),
    Message(3313, "database_fault", ("database", "page", "lsn"), {"event": "redo_failed"}),
    Message(9642, "endpoint", ("error", "state", "near_role", "far_address"), {"event": "connection_error"}),
    Message(9691, "endpoint", ("kind",), {"event": "stopped_listening"}, heads=("The ",)),
    Message(9666, "endpoint", ("kind",), {"event": "disabled"}, heads=("The ",)),
    Message(49930, "parallel_redo", ("event", "database", "pool_size")),
    Message(19494, "seeding_failed", ("database", "ag"), {"reason": "transient"}),
    Message(19495, "seeding_failed", ("database", "ag"), {"reason": "unrecoverable"}),
    Message(19496, "seeding_failed", ("database", "ag"), {"reason": "failed"}),
    Message(19505, "seeding_failed", ("ag",), {"reason": "not_a_secondary"}),
    Message(19506, "seeding_failed", ("ag",), {"reason": "no_create_permission"}),
    Message(40040, "seeding_failed", (), {"reason": "vdi_client"}),
    Message(40684, "seeding_failed", ("database",), {"reason": "already_in_progress"}),
    Message(40694, "seeding_failed", (), {"reason": "replication_target"}),
    Literal(
        "replica_manager",
        "Always On: ",
        r"^Always ?On: The availability replica manager is (?P<event>starting|waiting for the instance of "
        r"SQL Server to allow client connections)\.",
    ),
    Literal(
        "sync_state",
        "DbMgrPartnerCommitPolicy::",
        r"^DbMgrPartnerCommitPolicy::(?P<call>SetSyncState|SetSyncAndRecoveryPoint): "
        r"(?P<replica_id>[0-9A-Fa-f-]{36}):(?P<state>[0-9]+)",
    ),
    Literal(
        "state_information",
        "State information for database '",
        r"^State information for database '(?P<database>.*?)' - Hardened Lsn: "
        r"'\((?P<hardened_lsn>[0-9:]+)\)'\s+Commit LSN: '\((?P<commit_lsn>[0-9:]+)\)'\s+Commit Time: "
        r"'(?P<commit_time>.*?)'",
    ),
    Literal(
        "seeding_trace",
        "Always On: ",
        r"^Always ?On: DebugTraceVarArgs AR '\[HADR\] \[(?P<role>.*?)\] operation on replicas "
        r"\[(?P<local_replica_id>[0-9A-Fa-f-]{36})\]->\[(?P<remote_replica_id>[0-9A-Fa-f-]{36})\], "
        r"database \[(?P<database>.*?)\], remote endpoint \[(?P<remote_endpoint>.*?)\], source operation "
        r"\[(?P<operation_id>[0-9A-Fa-f-]{36})\]: Transitioning from \[(?P<old_state>\w+)\] to "
        r"\[(?P<new_state>\w+)\]",
    ),
    Literal(
        "seeding_trace",
        "Always On: ",
        r"^Always ?On: DebugTraceVarArgs AR 'Seeding is cancell?ed for \[(?P<database>.*?)\]\. Reason = "
        r"(?P<reason>[0-9]+) \[(?P<reason_text>.*?)\]",
    ),
    Literal(
        "endpoint",
        "Database Mirroring login attempt",
        r"^Database Mirroring login attempt (?:by user '(?P<user>.*?)' )?failed with error: "
        r"'(?P<error_text>.*?)'\.(?:\s+\[CLIENT: (?P<far_address>.*?)\])?",
        {"event": "login_failed"},
    ),
)

_FLUSH_RATE = r"average writes per second: +(?P<writes_per_s>[0-9.]+) writes/sec"
_FLUSH_THROUGHPUT = (
    r"average throughput: +(?P<mb_per_s>[0-9.]+) MB/sec, I/O saturation: (?P<io_saturation>[0-9]+), "
    r"context switches (?P<context_switches>[0-9]+)"
)
_FLUSH_TARGET = (
    r"last target outstanding: (?P<last_target_outstanding>[0-9]+), "
    r"avgWriteLatency (?P<average_write_latency_ms>[0-9]+)"
)

_OF_DATABASES = (912, 945, 1408, 1412, 1478, 3314, 3437, 3456, 9001, 19432, 35279, 35299)
_OF_GROUPS = (19435, 41059, 41096, 41104, 41160, 41161, 41163)
_OF_SERVERS = (
    *(701, 802, 823, 824, 825, 3417, 3449, 3633, 5123, 5133, 5149, 8510, 8645),
    *(
        3624,
        17051,
        17053,
        17120,
        17182,
        17310,
        17311,
        17826,
        17883,
        17884,
        17887,
        17888,
        26023,
        33111,
        35217,
        41041,
    ),
)
FAULTS = (
    *(Message(number, "fault", ("database", "", "")) for number in _OF_DATABASES),
    *(Message(number, "fault", ("ag",)) for number in _OF_GROUPS),
    *(Message(number, "fault", ("", "")) for number in _OF_SERVERS),
)

ENGINE = (
    Message(833, "long_io", ("count", "seconds", "file", "database_id", "", "offset", "duration_ms")),
    Literal(
        "long_io",
        "SQL Server has encountered ",
        r"^SQL Server has encountered (?P<count>[0-9]+) occurrence\(s\) of I/O requests taking longer than "
        r"(?P<seconds>[0-9]+) seconds to complete on file \[(?P<file>.*?)\] in database "
        r"\[(?P<database>.*?)\] \((?P<database_id>[0-9]+)\)\.(?:.*?The offset of the latest long I/O is: "
        r"(?P<offset>0x[0-9A-Fa-f]+))?(?:.*?The duration of the long I/O is: (?P<duration_ms>[0-9]+) ms)?",
    ),
    Literal(
        "long_sync_io",
        "Long Sync IO: Scheduler ",
        r"^Long Sync IO: Scheduler (?P<scheduler>[0-9]+) had (?P<count>[0-9]+) Sync IOs in nonpreemptive "
        r"mode longer than (?P<milliseconds>[0-9]+) ms",
    ),
    Literal(
        "flush_cache",
        "FlushCache: cleaned up ",
        r"(?s)^FlushCache: cleaned up (?P<buffers>[0-9]+) bufs with (?P<writes>[0-9]+) writes in "
        r"(?P<milliseconds>[0-9]+) ms \(avoided (?P<avoided>[0-9]+) new dirty bufs\) for db "
        r"(?P<database_id>[0-9]+):"
        rf"(?:.*?{_FLUSH_RATE})?(?:.*?{_FLUSH_THROUGHPUT})?(?:.*?{_FLUSH_TARGET})?",
    ),
    # Copies made by xp_readerrorlog give each line of the message an entry of its own.
    Literal("flush_cache", "average writes per second", "^" + _FLUSH_RATE),
    Literal("flush_cache", "average throughput", "^" + _FLUSH_THROUGHPUT),
    Literal("flush_cache", "last target outstanding", "^" + _FLUSH_TARGET),
    Message(5144, "autogrow", ("file", "database", "milliseconds"), {"event": "cancelled"}),
    Message(5145, "autogrow", ("file", "database", "milliseconds"), {"event": "completed"}),
    Message(
        17890, "memory_paged_out", ("duration_s", "working_set_kb", "committed_kb", "utilization_percent")
    ),
    Message(
        3421,
        "recovery",
        ("database", "database_id", "seconds", "analysis_ms", "redo_ms", "undo_ms"),
        {"event": "completed"},
    ),
    Message(
        3450,
        "recovery",
        ("database", "database_id", "percent", "seconds_remaining", "phase_number"),
        {"event": "progress"},
    ),
    Message(
        3406,
        "recovery",
        ("transactions", "database", "database_id", ""),
        {"event": "rolled_forward"},
        heads=tuple("0123456789"),
    ),
    Message(
        3407,
        "recovery",
        ("transactions", "database", "database_id", ""),
        {"event": "rolled_back"},
        heads=tuple("0123456789"),
    ),
    Message(3454, "recovery", ("database", "database_id"), {"event": "checkpoint"}),
    Message(9017, "recovery", ("database", "count"), {"event": "many_vlfs"}),
    Message(5084, "database_option", ("option", "value", "database")),
    Message(15457, "option_changed", ("option", "old_value", "new_value")),
    Message(17126, "ready"),
    Message(17147, "stop", (), {"reason": "system_shutdown"}),
    Message(17148, "stop", (), {"reason": "service_control"}),
    # The SHUTDOWN statement, and Ctrl-C or a signal to a process in the foreground.
    Literal("stop", "Server shut down by request", r"^Server shut down by request", {"reason": "statement"}),
    Literal(
        "stop",
        "SQL Server shutdown due to ",
        r"^SQL Server shutdown due to Ctrl-(?:C|Break)",
        {"reason": "signal"},
    ),
    Literal("reinitialized", "The error log has been reini", r"^The error log has been reinitialized"),
)

START = (
    Message(49916, STARTUP, ("hours", "minutes")),
    Message(17104, STARTUP, ("process_id",)),
    Message(17176, STARTUP, ("last_process_id", "last_reported_local", "last_reported_utc")),
    Message(18496, STARTUP, ("system_manufacturer", "system_model")),
    Message(15268, STARTUP, ("authentication_mode",)),
    Message(17111, STARTUP, ("errorlog_path",)),
    Message(17110, STARTUP, ("parameters",)),
    Message(17115, STARTUP, ("parameters",)),
    Literal(STARTUP, "-", r"^(?P<parameter>-[A-Za-z].*)"),
    Message(
        17179,
        STARTUP,
        ("sockets", "cores_per_socket", "logical_per_socket", "logical_processors", "licensed_processors"),
    ),
    Message(49903, STARTUP, ("memory_mb",), heads=tuple("0123456789")),
    Message(49917, STARTUP, ("default_collation", "language", "language_lcid")),
    Message(17663, STARTUP, ("server_name",)),
    Literal(
        STARTUP,
        "Using ",
        r"^Using (?P<memory_manager>conventional memory|locked pages|large pages) in the memory manager",
    ),
    Literal(
        STARTUP,
        "Database Instant File Initialization: ",
        r"^Database Instant File Initialization: (?P<instant_file_initialization>enabled|disabled)",
    ),
    Literal(STARTUP, "Microsoft SQL Server ", r"(?s)^(?P<banner>Microsoft SQL Server .*)"),
    Message(17550, TRACE_FLAG, ("flags", "session"), {"value": "on"}),
    Message(17551, TRACE_FLAG, ("flags", "session"), {"value": "off"}),
)

RECOGNISED: tuple[Message | Literal, ...] = (*BACKUPS, *AVAILABILITY, *FAULTS, *ENGINE, *START)
