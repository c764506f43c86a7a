"""The Arrow schema of each relation of `agtrace.history`: what happened, as tables.

Each is a relation of an opened case, computed when a query first names it. Times are UTC and NULL
where the clock of the capture is not known; ``*_local`` is the local time of the host itself.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation
from agtrace.tables.looks import (
    AG_NAMES,
    CLUSTER_LOG,
    CLUSTER_SETTINGS,
    DATABASE_STATES,
    DATABASES,
    FILE_IO,
    GROUPS,
    HADR_REQUESTS,
    LISTENERS,
    OS_EVENTS,
    REPLICAS,
    ROWSETS,
    WAITS,
)

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()


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
        column("min_transfer_size_kb", pa.int32(), "least MAXTRANSFERSIZE, as traced", "KiB"),
        column("total_mb", pa.int32(), "memory of the buffers, as traced", "MiB"),
        column("total_matches", pa.bool_(), "sets x count x size is that memory"),
        column("memory_limit_mb", pa.int32(), "memory that the buffers may take", "MiB"),
        column("readers", pa.int32(), "readers of data files"),
        column("volumes", pa.int32(), "volumes that hold data files"),
        column("fulltext_devices", pa.int32(), "full-text devices"),
        column("filestream_devices", pa.int32(), "FILESTREAM devices"),
        column("txf_devices", pa.int32(), "TXF devices"),
        column(
            "io_alignment_bytes", pa.int32(), "alignment of the file system's reads and writes", "B"
        ),
        column("media_buffer_count", pa.int32(), "buffers of the media"),
        column("media_buffer_size_kb", pa.int32(), "size of each", "KiB"),
        column("encode_buffer_count", pa.int32(), "buffers of compression"),
        column("files", _COUNT, "data files, where traced"),
        column("file_names", pa.list_(_TEXT), "their paths"),
        column("estimated_bytes", _COUNT, "size that was estimated before", "B"),
        column("is_snapshot", pa.bool_(), "a snapshot: SQL Server itself copied no data"),
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
        column(
            "backup_ids",
            pa.list_(_COUNT),
            "operation_id of relation backups: the backups and restores that its ends were",
            nullable=False,
        ),
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
    "test of a load generator, build of its schema, or measured value given in runs.csv",
    [
        column("trial_id", _COUNT, "dense number in the order of the files", nullable=False),
        column(
            "tool",
            _TEXT,
            "HammerDB or SQLQueryStress; of a value given in runs.csv what was measured",
            nullable=False,
        ),
        column(
            "driver",
            _TEXT,
            "timed, test or build (of the schema) for HammerDB; given for a value given in runs.csv; "
            "else empty",
            nullable=False,
        ),
        column(
            "load",
            pa.int32(),
            "virtual users or threads; of a given value a factor named so, else 1",
            nullable=False,
        ),
        column("work", _COUNT, "transactions per user, iterations per thread, warehouses built"),
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
        column(
            "elapsed_s",
            _NUMBER,
            "run time, or a given value that is a time; NULL for the timed driver",
            "s",
        ),
        column("value", _NUMBER, "given value that is no time, in its unit"),
        column("unit", _TEXT, "unit of value"),
        column("is_more_better", pa.bool_(), "whether more of value is better"),
        column(
            "resolution_s",
            _NUMBER,
            "how exact the run time is; of value in its unit",
            "s",
            nullable=False,
        ),
        column("failed", pa.int32(), "virtual users that failed, or exceptions", nullable=False),
        column("readings", pa.list_(_NUMBER), "readings of the transaction counter", "1/min"),
        column(
            "reading_times",
            pa.list_(UTC_TIME),
            "when each was read; empty where the counter wrote no times",
        ),
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

SERVER_OPTIONS = relation(
    "stretch of time in which a configuration option of a server had a value",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("option", _TEXT, "name as sp_configure has it", nullable=False),
        column("value", _TEXT, "configured value, in the unit that the name says"),
        column("start", UTC_TIME, "since when; NULL where it is not known"),
        column("end", UTC_TIME, "until when; NULL where nothing ends it"),
        column("start_local", LOCAL_TIME, "since when, the server's local time; NULL: not known"),
        column("end_local", LOCAL_TIME, "until when, the same; NULL where nothing ends it"),
        column("what", _TEXT, "what says so", nullable=False),
        column("content_id", _TEXT, "ERRORLOG that tells of it"),
        column("path", _TEXT, "its path within the case"),
        column("line", _COUNT, "line in it"),
    ],
)

ROUTING = relation(
    "read-only route: where a replica sends read-only connections while it is the primary",
    [
        column("capture_id", _TEXT, "capture that shows it"),
        column("content_id", _TEXT, "its content"),
        column("line", _COUNT, "line in it"),
        column("host_id", _TEXT, "server that was asked"),
        column("sql_instance", _TEXT, "its instance"),
        column("time_local", LOCAL_TIME, "when, the server's local time"),
        column("time", UTC_TIME, "when"),
        column("ag", _TEXT, "availability group"),
        column(
            "replica", _TEXT, "replica while it is the primary; its id where only that is shown"
        ),
        column("priority", pa.int32(), "order in its list, from 1"),
        column("routed_to", _TEXT, "replica that gets the connections, or its id"),
        column("connections_allowed", _TEXT, "NO, READ_ONLY or ALL: what it allows as a secondary"),
        column("routing_url", _TEXT, "its read-only routing URL"),
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

WITNESS = pa.struct(
    [
        column(
            "source",
            _TEXT,
            "ERRORLOG, Extended Events, cluster log, event log, support output, perfmon",
        ),
        column("host_id", _TEXT, "host whose file it is"),
        column("content_id", _TEXT, "capture that tells of it"),
        column("line", _COUNT, "line in it, or number of the event"),
        column("time", UTC_TIME, "when, by the clock of that host"),
    ]
)

TIMELINE = relation(
    "event of a group or of one of its servers, told by one witness or by several",
    [
        column(
            "time",
            UTC_TIME,
            "when, by one clock: skew between hosts removed; NULL where the offset is not known",
        ),
        column("end", UTC_TIME, "end, where it lasts: a restart's is when clients may connect"),
        column("time_local", LOCAL_TIME, "when, as the first witness writes it in local time"),
        column("ag", _TEXT, "availability group; NULL: the whole server"),
        column("host_id", _TEXT, "server that it happened to"),
        column("sql_instance", _TEXT, "its instance"),
        column("replica", _TEXT, "the other replica or node, where one is named"),
        column("database", _TEXT, "database"),
        column("kind", _TEXT, "what happened: docs/store.md lists the kinds", nullable=False),
        column("before", _TEXT, "state before, where a state changed"),
        column("after", _TEXT, "state after; of a statement its phase, of a move its type"),
        column("value", _NUMBER, "the number that it carries"),
        column("unit", _TEXT, "unit of the number"),
        column("text", _TEXT, "as the first witness has it, cut at 400 characters"),
        column(
            "skew_ms",
            _NUMBER,
            "how far the clock of its host is ahead of the common one; NULL where not known",
            "ms",
        ),
        column("witnesses", pa.list_(WITNESS), "who tells of it, the first of them the surest"),
    ],
)

REASON = pa.struct(
    [
        column("time", UTC_TIME, "when, by the clock of the new primary"),
        column("host_id", _TEXT, "server that it happened to"),
        column("kind", _TEXT, "kind of the event, as in timeline"),
        column("text", _TEXT, "what was written"),
        column(
            "source",
            _TEXT,
            "ERRORLOG, Extended Events, cluster log, event log, support output, perfmon",
        ),
        column("content_id", _TEXT, "capture that tells of it"),
        column("line", _COUNT, "line in it, or number of the event"),
    ]
)

FAILOVERS = relation(
    "entry of a replica into PRIMARY_NORMAL, of a group that had a known primary before",
    [
        column("failover_id", _COUNT, "dense number in order of time, from 1", nullable=False),
        column("ag", _TEXT, "availability group", nullable=False),
        column("from_host", _TEXT, "host of the old primary; empty where not known"),
        column("to_host", _TEXT, "host of the new one; the same where it came back in place"),
        column("mode", _TEXT, "planned, automatic, forced or open", nullable=False),
        column(
            "trigger",
            _TEXT,
            "what made the cluster act: ddl_failover, cluster_move, node_drained, ddl_forced, "
            "lease_expired, health_timeout, health_error, quorum_lost, node_down, instance_stopped, "
            "instance_died, database_failed or open",
            nullable=False,
        ),
        column(
            "cause",
            _TEXT,
            "the root: a trigger, cpu_starvation, long_io, memory_pressure, dump, network or open",
            nullable=False,
        ),
        column("start", UTC_TIME, "when the old primary was lost, by the new primary's clock"),
        column("end", UTC_TIME, "when the new one was in place, by its own clock"),
        column(
            "seconds_without_primary",
            _NUMBER,
            "end less start; NULL where the end is only the latest it can be: the new primary was not captured",
            "s",
        ),
        column(
            "start_source",
            _TEXT,
            "state of the old primary, or what was seen first where it is silent",
        ),
        column("confidence", _NUMBER, "0 to 1; at most 0.5 where it rests on absence"),
        column("reasons", pa.list_(REASON), "what speaks for trigger and cause, by time"),
        column("against", pa.list_(_TEXT), "what speaks against it, or stays unexplained"),
    ],
)

COMPONENT_HEALTH = relation(
    "state of a component of sp_server_diagnostics, as SQLDIAG files and system_health keep it",
    [
        column("time", UTC_TIME, "when"),
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("source", _TEXT, "SQLDIAG or system_health"),
        column("content_id", _TEXT, "capture that tells of it"),
        column("seq", _COUNT, "number of the event in it"),
        column(
            "component", _TEXT, "system, resource, query_processing, io_subsystem, events, a group"
        ),
        column("state", _TEXT, "clean, warning, error or unknown"),
        column("failure_condition_level", _COUNT, "of the group, where the event has it"),
        column("system_cpu_percent", _NUMBER, "processor time of the machine", "%"),
        column("sql_cpu_percent", _NUMBER, "processor time of SQL Server", "%"),
        column("page_faults", _COUNT, "page faults"),
        column("non_yielding_tasks", _COUNT, "tasks that do not yield"),
        column("total_dumps", _COUNT, "dumps since the start"),
        column("interval_dumps", _COUNT, "dumps since the last state"),
        column("interval_long_ios", _COUNT, "I/O of more than 15 s since the last state"),
        column("total_long_ios", _COUNT, "the same since the start"),
        column("io_latch_timeouts", _COUNT, "latches that timed out on I/O"),
        column("out_of_memory_exceptions", _COUNT, "exceptions for lack of memory"),
        column("out_of_memory_s", _COUNT, "how long the process has lacked memory", "s"),
        column("last_notification", _TEXT, "RESOURCE_MEMPHYSICAL_LOW, ..."),
        column("available_memory_bytes", _NUMBER, "physical memory available", "B"),
        column("max_workers", _COUNT, "worker threads at most"),
        column("workers_created", _COUNT, "worker threads"),
        column("workers_idle", _COUNT, "those that wait for work"),
        column("pending_tasks", _COUNT, "tasks that wait for a worker"),
        column("deadlocked_schedulers", pa.bool_(), "schedulers were deadlocked"),
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
    "server_options": SERVER_OPTIONS,
    "routing": ROUTING,
    "roles": ROLES,
    "timeline": TIMELINE,
    "failovers": FAILOVERS,
    "component_health": COMPONENT_HEALTH,
    "groups": GROUPS,
    "replicas": REPLICAS,
    "database_states": DATABASE_STATES,
    "listeners": LISTENERS,
    "cluster_settings": CLUSTER_SETTINGS,
    "waits": WAITS,
    "file_io": FILE_IO,
    "hadr_requests": HADR_REQUESTS,
    "databases": DATABASES,
    "ag_names": AG_NAMES,
    "rowsets": ROWSETS,
    "os_events": OS_EVENTS,
    "cluster_log": CLUSTER_LOG,
}
"""By name, in the order of docs/store.md."""
