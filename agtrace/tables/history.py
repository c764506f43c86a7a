"""The Arrow schema of each relation of `agtrace.history`: what happened, as tables.

Each is a relation of an opened case, computed when a query first names it. Times are UTC and NULL
where the clock of the capture is not known; ``*_local`` is the local time of the host itself.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()


def relation(row: str, columns: list[pa.Field]) -> pa.Schema:
    """Declare a relation: what one row is, and its columns."""
    return pa.schema(columns, metadata={"row": row})


BACKUPS = relation(
    "backup or restore operation, with its configuration, stages, bytes and outcome",
    [
        column("operation_id", _COUNT, "dense number in order of time", nullable=False),
        column("host_id", _TEXT, "server that ran it"),
        column("sql_instance", _TEXT, "its instance"),
        column("server", _TEXT, "host and instance; the file where no host is known"),
        column("database", _TEXT, "database as written"),
        column("operation", _TEXT, "backup or restore"),
        column("kind", _TEXT, "full, differential, log, file, ...; NULL where nothing says it"),
        column("status", _TEXT, "completed, failed, or unfinished where the log tells no end"),
        column("start", UTC_TIME, "begin"),
        column("end", UTC_TIME, "end"),
        column("start_local", LOCAL_TIME, "begin, the server's local time"),
        column("end_local", LOCAL_TIME, "end, the server's local time"),
        column("start_source", _TEXT, "trace, or message 3014 (its end less the time stated)"),
        column("duration_s", _NUMBER, "end less start", "s"),
        column("pages", _COUNT, "pages processed", "pages of 8 KiB"),
        column("bytes", _COUNT, "the same in bytes of the database", "B"),
        column("mb_per_s", _NUMBER, "throughput, MB of 2^20 bytes as SQL Server counts", "MiB/s"),
        column("rate_source", _TEXT, "message 3014, or pages and traced time"),
        column("stated_seconds", _NUMBER, "time that message 3014 states", "s"),
        column("media", _TEXT, "DISK, URL, VIRTUAL_DEVICE, ..."),
        column("stripes", _COUNT, "devices written or read side by side"),
        column("device_names", _TEXT, "devices, separated by |"),
        column("compression", pa.bool_(), "whether the stream was compressed"),
        column("checksum", pa.bool_(), "WITH CHECKSUM"),
        column("encryption", pa.bool_(), "WITH ENCRYPTION"),
        column("buffer_count", pa.int32(), "BUFFERCOUNT"),
        column("has_options", pa.bool_(), "the trace shows Effective options"),
        column("sets_of_buffers", pa.int32(), "sets of buffers"),
        column("max_transfer_size_kb", pa.int32(), "MAXTRANSFERSIZE", "KiB"),
        column("total_mb", pa.int32(), "memory of the buffers, as traced", "MiB"),
        column("total_matches", pa.bool_(), "sets x count x size is that memory"),
        column("memory_limit_mb", pa.int32(), "memory that the buffers may take", "MiB"),
        column("readers", pa.int32(), "readers of data files"),
        column("volumes", pa.int32(), "volumes that hold data files"),
        column("media_buffer_count", pa.int32(), "buffers of the media"),
        column("media_buffer_size_kb", pa.int32(), "size of each", "KiB"),
        column("encode_buffer_count", pa.int32(), "buffers of compression"),
        column("files", _COUNT, "data files, where traced"),
        column("file_names", pa.list_(_TEXT), "their paths"),
        column("estimated_bytes", _COUNT, "size that was estimated before", "B"),
        column("is_snapshot", pa.bool_(), "a snapshot: SQL Server itself copied no data"),
        column("is_seeding", pa.bool_(), "one end of a seeding's stream"),
        column("stages", pa.map_(_TEXT, _NUMBER), "seconds in each stage, where traced", "s"),
        column("command", _TEXT, "statement of one that failed"),
        column("message_ids", pa.list_(pa.int32()), "messages that tell the failure"),
        column("failure_lines", pa.list_(_COUNT), "their lines in the log"),
        column("failure_texts", pa.list_(_TEXT), "their texts"),
        column("source", _TEXT, "session that the trace flags show"),
        column("is_traced", pa.bool_(), "trace flags show its phases", nullable=False),
        column("content_id", _TEXT, "capture that tells of it"),
        column("line", _COUNT, "line in it"),
        column("idle_s", _NUMBER, "how long no backup had run on the server before it", "s"),
        column("beside", _COUNT, "operations that ran at the same time"),
        column("run_id", _TEXT, "labelled window that its middle lies in"),
        column("label", _TEXT, "label of that window"),
        column("factors", _TEXT, "its factors, a JSON object"),
    ],
)

ZEROED_FILES = relation(
    "file that was filled with zeros",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("content_id", _TEXT, "capture that tells of it"),
        column("line", _COUNT, "line in it"),
        column("path", _TEXT, "file that was filled with zeros"),
        column("bytes", _COUNT, "how much of it", "B"),
        column("time_local", LOCAL_TIME, "begin, the server's local time"),
        column("time", UTC_TIME, "begin"),
        column("seconds", _NUMBER, "how long it took; NULL where the log tells no end", "s"),
        column("is_data", pa.bool_(), "a data file: instant initialisation would spare it"),
        column("operation", _TEXT, "backup or restore that it was part of"),
        column("database", _TEXT, "database of that operation"),
    ],
)

FAILURE = pa.struct(
    [
        column("state", _COUNT, "failure_state: hundreds digit 1 the source, 2 the target"),
        column("text", _TEXT, "as the server says it"),
        column("time", UTC_TIME, "when"),
        column("where", _TEXT, "what says so: event, DMV or line of an ERRORLOG, and the host"),
        column("message_id", _COUNT, "number of the ERRORLOG's message"),
    ]
)


def _end(role: str) -> list[pa.Field]:
    """Declare what one end of a seeding shows."""
    return [
        column(f"{role}_host", _TEXT, f"host_id of the {role}"),
        column(
            f"{role}_told_by",
            pa.list_(_TEXT),
            f"captures that tell of the {role} (xel, dmv, errorlog, perfmon); empty where the other "
            "end names it and only its counters were captured; NULL where nothing was",
        ),
        column(f"{role}_remote", _TEXT, f"other machine, as the {role} writes it"),
        column(
            f"{role}_start",
            UTC_TIME,
            f"first instant of automatic seeding, by the clock of the {role}",
        ),
        column(
            f"{role}_end",
            UTC_TIME,
            f"last instant of automatic seeding, by the clock of the {role}",
        ),
        column(f"{role}_start_written", LOCAL_TIME, "start_time of the DMV, zone not known"),
        column(f"{role}_end_written", LOCAL_TIME, "completion_time of the DMV, zone not known"),
        column(f"{role}_copy_start", UTC_TIME, f"begin of the copy, by the clock of the {role}"),
        column(f"{role}_copy_end", UTC_TIME, f"end of the copy, by the clock of the {role}"),
        column(f"{role}_transferred_bytes", _COUNT, f"last figure that the {role} reports", "B"),
        column(f"{role}_database_bytes", _COUNT, f"size that the {role} reports", "B"),
        column(f"{role}_disk_wait_ms", _COUNT, f"disk waits of the {role} over the copy", "ms"),
        column(f"{role}_network_wait_ms", _COUNT, f"network waits of the {role}", "ms"),
        column(
            f"{role}_is_compression_enabled",
            pa.bool_(),
            "the flag as reported; known to stay false while the stream is compressed",
        ),
    ]


SEEDINGS = relation(
    "seeding of a database to a replica, whichever captures tell of it",
    [
        column("seeding_id", _COUNT, "dense number in order of time, from 1", nullable=False),
        column("database", _TEXT, "database; NULL where only its guid is known"),
        column("ag", _TEXT, "group"),
        column("database_guid", _TEXT, "ag_db_id, lower case"),
        column(
            "outcome",
            _TEXT,
            "completed, already_present (nothing was copied), failed, cut_off (by a restart, or its "
            "events end on one side), running (to the end of the captures)",
            nullable=False,
        ),
        column(
            "start",
            UTC_TIME,
            "first request, begin of the copy where only that was seen; by the clock of the source where both ends are known",
        ),
        column("end", UTC_TIME, "last state; NULL while it runs"),
        column("copy_start", UTC_TIME, "begin of the last attempt's copy"),
        column("copy_end", UTC_TIME, "its end"),
        column(
            "copied_bytes", _COUNT, "bytes of the database copied, never those on the wire", "B"
        ),
        column("bytes_source", _TEXT, "what says so", nullable=False),
        column("database_bytes", _COUNT, "size of the database as reported", "B"),
        column("attempts", _COUNT, "number of attempts, where reported"),
        column("failures", pa.list_(FAILURE), "reasons, in order of time", nullable=False),
        column("told_by", pa.list_(_TEXT), "captures that tell of it", nullable=False),
        column("unjoined", _TEXT, "what stayed ambiguous; empty where nothing did", nullable=False),
        column(
            "time_basis",
            _TEXT,
            "how local times were settled; unknown where they could not be; empty where all are UTC",
            nullable=False,
        ),
        *_end("source"),
        *_end("target"),
    ],
)

SEEDING_STATES = relation(
    "state that one end of a seeding was in",
    [
        column("seeding_id", _COUNT, "seeding", nullable=False),
        column("role", _TEXT, "source or target", nullable=False),
        column("host_id", _TEXT, "host of that end"),
        column("layer", _TEXT, "automatic (the request) or physical (the copy)", nullable=False),
        column("state", _TEXT, "as the server names it", nullable=False),
        column("start", UTC_TIME, "begin, by the clock of its host", nullable=False),
        column("end", UTC_TIME, "end; final states end at once; NULL where it was not captured"),
        column("seen_until", UTC_TIME, "end, or how long captures show the state to last at least"),
    ],
)

SEEDING_PROGRESS = relation(
    "report of a copy as it went, by one end",
    [
        column("seeding_id", _COUNT, "seeding", nullable=False),
        column("role", _TEXT, "source or target", nullable=False),
        column("time", UTC_TIME, "when", nullable=False),
        column("transferred_bytes", _COUNT, "bytes of the database so far", "B"),
        column("database_bytes", _COUNT, "size of the database", "B"),
        column("bytes_per_s", _NUMBER, "rate as reported", "B/s"),
        column("disk_wait_ms", _COUNT, "disk waits so far", "ms"),
        column("network_wait_ms", _COUNT, "network waits so far", "ms"),
    ],
)

TRIALS = relation(
    "test of a load generator",
    [
        column("trial_id", _COUNT, "dense number in the order of the files", nullable=False),
        column("tool", _TEXT, "HammerDB or SQLQueryStress", nullable=False),
        column("driver", _TEXT, "timed or test for HammerDB, else empty", nullable=False),
        column("load", pa.int32(), "virtual users or threads", nullable=False),
        column("work", _COUNT, "transactions per user, or iterations per thread"),
        column("start", UTC_TIME, "begin"),
        column("end", UTC_TIME, "end"),
        column(
            "is_assumed_clock",
            pa.bool_(),
            "its offset from UTC is that of every other host of the case, not its own",
            nullable=False,
        ),
        column("nopm", _NUMBER, "new orders", "1/min"),
        column("tpm", _NUMBER, "transactions", "1/min"),
        column("elapsed_s", _NUMBER, "run time; NULL for the timed driver", "s"),
        column("resolution_s", _NUMBER, "how exact the run time is", "s", nullable=False),
        column("failed", pa.int32(), "virtual users that failed, or exceptions", nullable=False),
        column("readings", pa.list_(_NUMBER), "readings of the transaction counter", "1/min"),
        column("client_s", _NUMBER, "mean time of an iteration at the client", "s"),
        column("logical_reads", _NUMBER, "mean of an iteration", "pages of 8 KiB"),
        column("run_id", _TEXT, "labelled window in which it started; of several the shortest"),
        column("path", _TEXT, "file that tells of it", nullable=False),
        column("line", _COUNT, "line in it"),
    ],
)

TRACE_FLAGS = relation(
    "interval in which a trace flag is known to have been on or off on a server",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("flag", _COUNT, "its number"),
        column("is_on", pa.bool_(), "whether it was on", nullable=False),
        column("start", UTC_TIME, "since when: a start of the server, or DBCC", nullable=False),
        column("end", UTC_TIME, "when the log tells of it again; NULL where it does not"),
        column("what", _TEXT, "what says so: a parameter, or DBCC, which may hold for one session"),
        column("content_id", _TEXT, "ERRORLOG that tells of it"),
        column("path", _TEXT, "its path within the case"),
        column("line", _COUNT, "line in it"),
    ],
)

ROLES = relation(
    "stretch of time in which a replica of an availability group had one role",
    [
        column(
            "ag",
            _TEXT,
            "availability group; A or B where the captures leave it open, NULL where nothing names it",
        ),
        column("host_id", _TEXT, "server of the replica", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("role", _TEXT, "PRIMARY, SECONDARY or RESOLVING; NULL where nothing tells it"),
        column("start", UTC_TIME, "begin; NULL where nothing bounds it"),
        column("end", UTC_TIME, "end; NULL where nothing bounds it"),
        column("start_local", LOCAL_TIME, "begin, the server's local time, where UTC is not known"),
        column("end_local", LOCAL_TIME, "end, the same"),
        column(
            "evidence",
            _TEXT,
            "message 19406, message 1480, availability_replica_state_change, counters, or no log moved",
            nullable=False,
        ),
    ],
)

_WRITTEN = [
    column("capture_id", _TEXT, "capture that tells of it"),
    column("content_id", _TEXT, "its content"),
    column("line", _COUNT, "line in it"),
    column("host_id", _TEXT, "host that wrote it"),
    column("sql_instance", _TEXT, "its instance"),
    column("time_local", LOCAL_TIME, "when, local time of the host"),
    column("time", UTC_TIME, "when; NULL where the offset of the host is not known"),
]
"""Who wrote a row of a support tool's output, and when."""

GROUPS = relation(
    "availability group at a look of a server",
    [
        *_WRITTEN,
        column("ag", _TEXT, "group"),
        column("ag_id", _TEXT, "its id, lower case"),
        column("primary_replica", _TEXT, "server that has the primary, as far as this one knows"),
        column("failure_condition_level", _COUNT, "which faults fail it over: 1 to 5"),
        column("health_check_timeout_ms", _COUNT, "silence after which it fails over", "ms"),
        column("synchronization_health", _TEXT, "HEALTHY, PARTIALLY_HEALTHY or NOT_HEALTHY"),
    ],
)

REPLICAS = relation(
    "replica of a group at a look of a server",
    [
        *_WRITTEN,
        column("ag", _TEXT, "group"),
        column("replica", _TEXT, "server of the replica, as configured"),
        column("replica_id", _TEXT, "its id, lower case"),
        column("node", _TEXT, "node that it runs on"),
        column("is_local", pa.bool_(), "the server that was looked at"),
        column(
            "role", _TEXT, "PRIMARY, SECONDARY or RESOLVING; NULL where the server does not know"
        ),
        column("availability_mode", _TEXT, "SYNCHRONOUS_COMMIT or ASYNCHRONOUS_COMMIT"),
        column("failover_mode", _TEXT, "AUTOMATIC or MANUAL"),
        column("session_timeout_s", _COUNT, "silence after which it is disconnected", "s"),
        column("connected_state", _TEXT, "CONNECTED or DISCONNECTED"),
        column("synchronization_health", _TEXT, "HEALTHY, PARTIALLY_HEALTHY or NOT_HEALTHY"),
        column("last_connect_error", _TEXT, "text of the last error; its number where it has none"),
    ],
)

DATABASE_STATES = relation(
    "database of a replica at a look of a server",
    [
        *_WRITTEN,
        column("ag", _TEXT, "group"),
        column("database", _TEXT, "database"),
        column("replica", _TEXT, "server of the replica"),
        column("is_local", pa.bool_(), "on the server that was looked at"),
        column(
            "synchronization_state",
            _TEXT,
            "SYNCHRONIZED, SYNCHRONIZING, NOT SYNCHRONIZING, REVERTING or INITIALIZING",
        ),
        column("synchronization_health", _TEXT, "HEALTHY, PARTIALLY_HEALTHY or NOT_HEALTHY"),
        column("is_suspended", pa.bool_(), "whether its data movement was suspended"),
        column("suspend_reason", _TEXT, "why"),
        column("log_send_queue_kb", _COUNT, "log not sent yet", "KB"),
        column("log_send_rate_kb_s", _COUNT, "the server's own average", "KB/s"),
        column("redo_queue_kb", _COUNT, "log not redone yet", "KB"),
        column("redo_rate_kb_s", _COUNT, "the server's own average", "KB/s"),
        column("secondary_lag_s", _COUNT, "how far it lies behind the primary", "s"),
    ],
)

LISTENERS = relation(
    "address of a listener of a group",
    [
        *_WRITTEN,
        column("ag", _TEXT, "group"),
        column("listener", _TEXT, "listener"),
        column("dns_name", _TEXT, "name that clients connect to"),
        column("port", _COUNT, "TCP port"),
        column("ip_address", _TEXT, "address; NULL where no address is told"),
        column("subnet_mask", _TEXT, "its subnet mask"),
        column("state", _TEXT, "ONLINE, OFFLINE, ..."),
        column("is_conformant", pa.bool_(), "whether SQL Server made it"),
    ],
)

ROUTING = relation(
    "read-only route",
    [
        *_WRITTEN,
        column("replica", _TEXT, "while this server is the primary"),
        column("priority", _COUNT, "order of the routes; equal ones share the load"),
        column("target", _TEXT, "connections go to this server"),
        column("connections_allowed", _TEXT, "what it accepts as a secondary"),
        column("url", _TEXT, "address of the route"),
    ],
)

CLUSTER_SETTINGS = relation(
    "setting of the cluster, of a node or of a group in it",
    [
        *_WRITTEN,
        column("scope", _TEXT, "cluster, member or group"),
        column("item", _TEXT, "name of the cluster, node or group"),
        column("setting", _TEXT, "quorum_type, quorum_votes, LeaseTimeout, SameSubnetDelay, ..."),
        column("value", _TEXT, "its value; timeouts and delays in ms"),
        column("unit", _TEXT, "unit of the value"),
    ],
)

WAITS = relation(
    "wait type over an interval between two looks; time is the end of the interval",
    [
        *_WRITTEN,
        column("wait_type", _TEXT, "what was waited for"),
        column("start_local", LOCAL_TIME, "begin of the interval, local time of the host"),
        column("seconds", _NUMBER, "length of the interval", "s"),
        column("waiting_tasks", _COUNT, "waits that ended in it"),
        column("wait_ms", _COUNT, "how long they waited, together", "ms"),
        column("mean_wait_ms", _NUMBER, "mean of a wait; NULL where there was none", "ms"),
    ],
)

FILE_IO = relation(
    "file of a database over an interval between two looks; time is the end of the interval",
    [
        *_WRITTEN,
        column("database", _TEXT, "database"),
        column("file_id", _COUNT, "file of the database"),
        column("file_type", _TEXT, "ROWS, LOG, ..."),
        column(
            "start_local",
            LOCAL_TIME,
            "begin of the interval, local time of the host; NULL for means since the server's start",
        ),
        column("reads", _COUNT, "reads"),
        column("writes", _COUNT, "writes"),
        column("read_bytes", _COUNT, "bytes read", "B"),
        column("write_bytes", _COUNT, "bytes written", "B"),
        column("read_stall_ms", _COUNT, "how long reads took, together", "ms"),
        column("write_stall_ms", _COUNT, "how long writes took, together", "ms"),
        column("mean_read_ms", _NUMBER, "mean of a read; NULL where there was none", "ms"),
        column("mean_write_ms", _NUMBER, "mean of a write; NULL where there was none", "ms"),
    ],
)

HADR_REQUESTS = relation(
    "request or task that waited for a replica or for redo at a look of a server",
    [
        *_WRITTEN,
        column("session_id", _COUNT, "session"),
        column("database", _TEXT, "database, where its name is told"),
        column("database_id", _COUNT, "its id"),
        column("command", _TEXT, "what it does: COMMIT TRANSACTION, PARALLEL REDO TASK, ..."),
        column("wait_type", _TEXT, "what it waited for"),
        column("wait_ms", _COUNT, "since when", "ms"),
        column("runnable_tasks", _COUNT, "tasks that wait for the same scheduler, where told"),
        column("pending_disk_io", _COUNT, "disk requests of the scheduler, where told"),
    ],
)

DATABASES = relation(
    "database of a server at a look",
    [
        *_WRITTEN,
        column("database", _TEXT, "database"),
        column("database_id", _COUNT, "its id on the server"),
        column("vlf_count", _COUNT, "virtual log files: many make recovery and redo slow"),
        column("recovery_model", _TEXT, "FULL, BULK_LOGGED or SIMPLE"),
    ],
)

AG_NAMES = relation(
    "id of a group, replica or database with its name",
    [
        *_WRITTEN,
        column("kind", _TEXT, "group, replica or database"),
        column("id", _TEXT, "its id, lower case"),
        column("name", _TEXT, "its name"),
    ],
)

ROWSETS = relation(
    "cell of a rowset in a support output that no relation and no fact tells of",
    [
        *_WRITTEN,
        column("name", _TEXT, "name of the rowset; NULL where nothing names it"),
        column("row", pa.int32(), "row in it, from 0"),
        column("column", _TEXT, "name of the column as written"),
        column("value", _TEXT, "value as written; NULL for NULL"),
    ],
)

RELATIONS: dict[str, pa.Schema] = {
    "backups": BACKUPS,
    "zeroed_files": ZEROED_FILES,
    "seedings": SEEDINGS,
    "seeding_states": SEEDING_STATES,
    "seeding_progress": SEEDING_PROGRESS,
    "trials": TRIALS,
    "trace_flags": TRACE_FLAGS,
    "roles": ROLES,
    "groups": GROUPS,
    "replicas": REPLICAS,
    "database_states": DATABASE_STATES,
    "listeners": LISTENERS,
    "routing": ROUTING,
    "cluster_settings": CLUSTER_SETTINGS,
    "waits": WAITS,
    "file_io": FILE_IO,
    "hadr_requests": HADR_REQUESTS,
    "databases": DATABASES,
    "ag_names": AG_NAMES,
    "rowsets": ROWSETS,
}
"""By name, in the order of docs/store.md."""
