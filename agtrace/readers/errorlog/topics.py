"""Topics of the messages and facts of an ERRORLOG.

`catalogue` defines the texts that they come from; `phases` and `buffer_configuration` do so for trace flags.
"""

from __future__ import annotations

from agtrace.readers.errorlog.catalogue import RECOGNISED, STARTUP, TRACE_FLAG, Message
from agtrace.tables.topics import Topic, Value, facts

TRACE_FLAGS = facts(
    TRACE_FLAG,
    "switch of a trace flag; in outputs of DBCC TRACESTATUS the item is the number of the flag",
    Value("*", "number of the flag; value on or off"),
    Value("global", "DBCC TRACESTATUS: 1 if it is on for the server"),
    Value("session", "DBCC TRACESTATUS: 1 if it is on for the querying session"),
    Value("status", "DBCC TRACESTATUS: 1 if it is on"),
)

# Fields that say the same wherever they stand: meaning, and unit of a number.
_FIELDS: dict[str, tuple[str, str]] = {
    "ag": ("availability group", ""),
    "analysis_ms": ("time of the analysis", "ms"),
    "available_bytes": ("free space", "B"),
    "buffer_count": ("BUFFERCOUNT", ""),
    "bytes": ("how much", "B"),
    "database": ("database as written", ""),
    "database_id": ("database id", ""),
    "device": ("device as written", ""),
    "duration_s": ("how long it lasted", "s"),
    "elapsed_ms": ("time since the operation started, if logged", "ms"),
    "end_byte": ("offset in the file behind the last byte", "B"),
    "end_page": ("last page", ""),
    "error": ("error number", ""),
    "extents": ("extents of 64 KiB", ""),
    "file": ("path of the file", ""),
    "first_lsn": ("first LSN", ""),
    "full_backup_lsn": ("LSN of the full backup", ""),
    "last_lsn": ("last LSN", ""),
    "max_transfer_size_kb": ("MAXTRANSFERSIZE", "KiB"),
    "milliseconds": ("how long it took", "ms"),
    "operation": ("backup or restore", ""),
    "operation_line": ("line of the entry that began the operation", ""),
    "os_error": ("error of Windows, in words", ""),
    "pages": ("pages processed", "pages of 8 KiB"),
    "path": ("path of the file", ""),
    "recovery_lsn": ("LSN", ""),
    "redo_ms": ("time of the redo", "ms"),
    "remote_role": ("role of the other replica, in the language of the log", ""),
    "replica": ("name of the other replica", ""),
    "replica_id": ("its id", ""),
    "required_bytes": ("space needed", "B"),
    "role": ("role of this replica, in the language of the log", ""),
    "seconds": ("how long it took", "s"),
    "seconds_remaining": ("estimated time left", "s"),
    "start_byte": ("offset in the file", "B"),
    "start_page": ("first page", ""),
    "statement": ("BACKUP DATABASE, RESTORE LOG, ...", ""),
    "total_bytes": ("of how much", "B"),
    "undo_ms": ("time of the undo", "ms"),
}


def _values(names: str, special: dict[str, str | tuple[str, str]]) -> tuple[Value, ...]:
    """Declare fields: those that say the same everywhere by name, the others with their meaning."""
    stated = {name: (text, "") if isinstance(text, str) else text for name, text in special.items()}
    stated |= {name: _FIELDS[name] for name in names.split()}
    return tuple(Value(name, *stated[name]) for name in sorted(stated))


def _topic(name: str, row: str, names: str = "", **special: str | tuple[str, str]) -> Topic:
    """Declare a topic of messages; the catalogue knows their numbers."""
    numbers = {e.id for e in RECOGNISED if isinstance(e, Message) and e.topic == name}
    return Topic("messages", name, row, _values(names, special), tuple(sorted(numbers)))


_OUTCOME = {
    "kind": "full, differential, log or file",
    "creation_date": "when the database was created",
    "devices": "number of devices",
    "device_type": "DISK, URL, VIRTUAL_DEVICE, ...",
    "device_names": "devices, separated by |",
    "backup_file_number": "position of the backup set on its medium",
}
_FILES = {"files": "files and filegroups of a file backup"}

BACKUPS = (
    _topic(
        "backup", "backup that completed", "database pages first_lsn last_lsn full_backup_lsn",
        **_OUTCOME, **_FILES,
    ),
    _topic("restore", "restore that completed", "database first_lsn last_lsn", **_OUTCOME, **_FILES),
    _topic(
        "backup_rate", "rate of a backup or restore that completed", "statement pages operation",
        seconds=("how long it took; the decimals after a point in every language", "s"),
        mb_per_s=("throughput, MB of 2^20 bytes", "MiB/s"),
    ),
    _topic(
        "backup_failed", "failed backup or restore, or its reason",
        "statement device os_error database file path required_bytes available_bytes",
        reason="command_failed, terminated, cannot_open_device, write_failed, no_space, ...",
        command="statement that failed",
        step="failed step",
        action="action on the device",
    ),
    _topic("backup_to_url", "start of BackupToUrl", "database", process_id="its process id"),
    _topic("frozen", "I/O of a database frozen for a snapshot", "database"),
    _topic("resumed", "I/O of a database resumed", "database"),
)  # fmt: skip

AVAILABILITY = (
    _topic(
        "role_change", "change of a database's role", "database",
        kind="availability group, mirrored, ...; in the language of the log",
        old_role="PRIMARY, SECONDARY, RESOLVING, ...", new_role="as old_role",
        reason="why, in words",
    ),
    _topic(
        "replica_state", "change of the local replica's state", "ag",
        old_state="PRIMARY_NORMAL, SECONDARY_NORMAL, RESOLVING_NORMAL, NOT_AVAILABLE, ...",
        new_state="as old_state", reason="why, in words",
    ),
    _topic(
        "lease", "the lease between SQL Server and the cluster", "ag",
        event="expired, no_signal_from_sql_server, stop_requested, renewal_failed, ...",
        windows_error="error of Windows", ms=("time in excess", "ms"),
    ),
    _topic(
        "connection", "connection between two replicas", "ag replica replica_id",
        event="established, timeout, timeout_establishing, primary_not_active",
        from_replica="name of this replica", from_replica_id="its id",
    ),
    _topic(
        "database_connection", "connection of a database to the other replica",
        "database remote_role role replica replica_id",
        event="established, terminated, startup_skipped, restarted_to_resynchronise",
        group_id="id of the group",
    ),
    _topic(
        "data_movement", "data movement suspended or resumed", "database",
        event="suspended or resumed", reason="why, in words",
        source_id="source of the suspension", source_string="the same in words",
    ),
    _topic("recovery_lsn", "LSN from which a database recovers", "recovery_lsn database_id"),
    _topic("preparing", "local replica preparing for a role", "ag", new_role="PRIMARY or RESOLVING"),
    _topic(
        "ag_failure", "failure of a group", "ag error database",
        reason="lease_lost, online_timeout, resource_not_online, database_error, ...",
        resource_id="id of the cluster resource", error_type="kind of error",
        error_name="name of the error",
    ),
    _topic(
        "cluster", "state of the cluster service and its nodes",
        event="service_unavailable, service_started, node_offline, node_started, node_online",
    ),
    _topic(
        "replica_manager", "the availability replica manager", "ag",
        event="starting, going_offline, replica_starting, replica_stopping, ...",
        reason="why, in words",
    ),
    _topic(
        "database_unavailable", "refused access to a database of a group", "database",
        reason="not_accessible, role, quorum",
    ),
    _topic(
        "database_fault", "a database that cannot be written or recovered", "database",
        event="log_full, not_recovered, redo_failed",
        reason="for a full log: log_reuse_wait_desc",
        page="page that the redo was at", lsn="log record that the redo was at",
    ),
    _topic("fault", "a fault of a server, a group or a database", "database ag"),
    _topic(
        "endpoint", "the endpoint of the group", "error",
        event="connection_error, stopped_listening, disabled, login_failed",
        state="state of the error", near_role="role of the near side",
        far_address="address of the other side", kind="kind of endpoint, in the log's language",
        user="user of the login attempt", error_text="why, in words",
    ),
    _topic(
        "parallel_redo", "parallel redo", "database",
        event="started, shut down, ...", pool_size="worker threads",
    ),
    _topic(
        "seeding_failed", "automatic seeding that failed", "ag database",
        reason="transient, unrecoverable, failed, no_create_permission, ...",
    ),
    _topic(
        "seeding_trace", "state of an automatic seeding, traced", "database",
        role="Source or Sink", local_replica_id="id of this replica",
        remote_replica_id="id of the other one", remote_endpoint="its endpoint",
        operation_id="id of the operation", old_state="state before", new_state="state after",
        reason="number of the reason to cancel", reason_text="the same in words",
    ),
    _topic(
        "sync_state", "change of a replica's synchronisation", "replica_id",
        call="SetSyncState or SetSyncAndRecoveryPoint", state="number of the state",
    ),
    _topic(
        "state_information", "how far a database was hardened", "database",
        hardened_lsn="hardened LSN", commit_lsn="LSN of the last commit",
        commit_time="its time as written",
    ),
)  # fmt: skip

ENGINE = (
    _topic(
        "long_io", "I/O requests that took longer than 15 s", "database database_id file",
        count="requests", seconds=("longer than this", "s"),
        offset="offset of the latest one, hexadecimal", duration_ms=("how long it took", "ms"),
    ),
    _topic(
        "long_sync_io", "synchronous I/O that held a scheduler", scheduler="its number",
        count="requests", milliseconds=("longer than this", "ms"),
    ),
    _topic(
        "flush_cache", "checkpoint that took long", "milliseconds database_id",
        buffers="pages", writes="writes", avoided="pages made dirty again meanwhile",
        writes_per_s=("mean", "1/s"), mb_per_s=("mean throughput", "MB/s"),
        io_saturation="I/O saturation", context_switches="context switches",
        last_target_outstanding="target of outstanding writes",
        average_write_latency_ms=("mean time of a write", "ms"),
    ),
    _topic(
        "autogrow", "growth of a file that took long", "database milliseconds",
        file="logical name of the file", event="completed or cancelled",
    ),
    _topic(
        "memory_paged_out", "working set trimmed", "duration_s",
        working_set_kb=("working set", "KiB"), committed_kb=("committed memory", "KiB"),
        utilization_percent=("of the memory in use", "%"),
    ),
    _topic(
        "recovery", "recovery of a database",
        "database database_id seconds analysis_ms redo_ms undo_ms seconds_remaining",
        event="completed, progress, rolled_forward, rolled_back, checkpoint, many_vlfs",
        count="virtual log files that it has more than",
        percent=("done", "%"), phase_number="phase, from 1", transactions="transactions",
    ),
    _topic(
        "option_changed", "change of a configuration option (sp_configure)",
        option="its name: max server memory (MB), ...",
        old_value="configured before, in the unit that the name says",
        new_value="configured value; effective after RECONFIGURE, for some only after a restart",
    ),
    _topic(
        "database_option", "option of a database that was set", "database",
        option="its name: ENCRYPTION, RECOVERY, ...", value="new value: ON, OFF, SIMPLE, ...",
    ),
    _topic("ready", "SQL Server is ready for clients"),
    _topic("stop", "SQL Server stops", reason="system_shutdown, service_control, statement or signal"),
    _topic("reinitialized", "first entry of a log after it was cycled"),
)  # fmt: skip

_OF_OPERATION = "operation database operation_line"

TRACED = (
    _topic(
        "phase", "step of a backup or restore, traced (trace flags 3004 and 3014, or its event)",
        f"{_OF_OPERATION} elapsed_ms statement bytes total_bytes extents file device buffer_count "
        "max_transfer_size_kb database_id",
        phase="started, copy_data, data_copied, progress, finished, ...; other if unknown",
        text="the line, if the step is unknown",
        checksum="1: WITH CHECKSUM", compression="1: compressed", encryption="1: encrypted",
        lsn="LSN", replication_lsn="LSN that replication needs",
        file_id="number of the file", stream="number of the stream",
        data_bytes=("size of the data", "B"), log_bytes=("size of the log", "B"),
        initial_bytes=("size expected at first", "B"), excess_mode="mode of the growth",
        buffers="buffers in the shared queue", readers="readers of data files",
        percent=("done", "%"), mode="mode of the restore",
        files="files opened", cache_size="handles kept",
    ),
    _topic(
        "zeroing", "file being filled with zeros, traced",
        f"{_OF_OPERATION} elapsed_ms path start_page end_page start_byte end_byte bytes",
        event="started, completed, log_tail",
    ),
    _topic(
        "buffer_configuration", "buffers of a backup or restore (trace flag 3213)",
        f"{_OF_OPERATION} buffer_count max_transfer_size_kb",
        memory_limit_mb=("memory that the buffers may take", "MiB"),
        sets_of_buffers="sets of buffers",
        min_max_transfer_size_kb=("least MAXTRANSFERSIZE", "KiB"),
        total_mb=("memory of the buffers", "MiB"),
        total_matches="true if sets x count x size is that memory, else false",
        buffers_per_read_stream="buffers of a reader",
        buffers_per_write_stream="buffers of a writer",
        tabular_data_device_count="volumes that hold data files",
        fulltext_data_device_count="full-text devices",
        filestream_device_count="FILESTREAM devices", txf_device_count="TXF devices",
        filesystem_io_alignment_bytes=("alignment", "B"),
        media_buffer_count="buffers of the media", media_buffer_size_kb=("size of each", "KiB"),
        encode_buffer_count="buffers of compression",
    ),
)  # fmt: skip

START = (
    facts(
        STARTUP,
        "start-up of SQL Server",
        Value("version_text", "first line of the banner"),
        Value("product", "year of the product: 2019, ..."),
        Value("level", "RTM, SP3, RTM-CU18, ..."),
        Value("kb", "article of the update"),
        Value("product_version", "build: 15.0.4261.1"),
        Value("build_date", "date of the build"),
        Value("edition", "edition"),
        Value("os", "operating system"),
        Value("utc_adjustment_minutes", "local time minus UTC", "min"),
        Value("process_id", "process id"),
        Value("last_process_id", "process id that the instance had reported before this start"),
        Value(
            "last_reported_utc",
            "when it did, ISO 8601, UTC: it lived then; of several readings of a date the earliest",
        ),
        Value("system_manufacturer", "manufacturer of the machine"),
        Value("system_model", "its model"),
        Value("authentication_mode", "WINDOWS-ONLY or MIXED"),
        Value("errorlog_path", "path of the log"),
        Value("startup_parameter", "start-up parameter; many of one item"),
        Value("sockets", "sockets"),
        Value("cores_per_socket", "cores of each"),
        Value("cores", "cores in all"),
        Value("logical_processors", "logical processors"),
        Value("licensed_processors", "logical processors in use by the licence"),
        Value("memory_mb", "memory", "MB"),
        Value("default_collation", "collation of the server"),
        Value("language", "language of the server"),
        Value("language_lcid", "its number"),
        Value("server_name", "name of the server as logged"),
        Value("locked_pages", "true or false: locked or large pages in use"),
        Value("instant_file_initialization", "enabled or disabled"),
        Value("sql_instance", "MSSQLSERVER or the name of the instance"),
    ),
    facts("startup_flag", "start-up", Value("*", "number of a trace flag; the value is startup")),
    TRACE_FLAGS,
    facts(
        "errorlog_file",
        "ERRORLOG, as counted",
        Value("entries", "entries"),
        Value("continuation_lines", "lines without a header"),
        Value("error_pairs", "pairs of error number and text"),
        Value("empty_messages", "entries without text"),
        Value("encoding", "character encoding"),
    ),
    facts(
        "errorlog_replica",
        "replica of the connections, which is the writer's own",
        Value("name", "name of the replica"),
    ),
    facts(
        "errorlog_gap",
        "place where a collector left out the middle of an ERRORLOG",
        Value("from", "last entry before it, as its time is"),
        Value("to", "first entry behind it"),
    ),
)

TOPICS: tuple[Topic, ...] = (*BACKUPS, *AVAILABILITY, *ENGINE, *TRACED, *START)
