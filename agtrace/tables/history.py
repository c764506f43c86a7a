"""The Arrow schema of each relation of `agtrace.history`: what happened, as tables.

Each is a relation of an opened case, computed when a query first names it. Times are UTC by the reference
clock of the case and NULL where the offset of the capture is not known; ``*_local`` is the local time of the
host itself. ``log_blocks`` alone keeps the clocks of its hosts.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation
from agtrace.tables.clock import REFERENCE_CLOCK
from agtrace.tables.coverage import COVERAGE
from agtrace.tables.faults import DATABASE_FAULTS, RECOVERIES
from agtrace.tables.group import (
    COMPONENT_HEALTH,
    CONNECTIONS,
    FAILOVERS,
    INCIDENTS,
    ROLES,
    STANDSTILLS,
    TIMELINE,
)
from agtrace.tables.log_blocks import LOG_BLOCKS
from agtrace.tables.logs import LOG_ENTRIES, LOG_MESSAGES
from agtrace.tables.looks import (
    AG_NAMES,
    CLUSTER_ITEMS,
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
from agtrace.tables.perfmon import CLOCK_STEPS, COUNTER_VALUES, LOG_GROWTHS, PERFMON_GAPS, UNKNOWN_OFFSETS
from agtrace.tables.restarts import RESTARTS
from agtrace.tables.seedings import SEEDING_PROGRESS, SEEDING_STATES, SEEDINGS
from agtrace.tables.servers import (
    COLLECTIONS,
    FILTER_DRIVERS,
    LOG_GAPS,
    NETWORK_FACTS,
    POWER_PLANS,
    SERVER_PROPERTIES,
    SERVER_STARTS,
    SERVER_VERSIONS,
)
from agtrace.tables.session_events import (
    COMMIT_WAITS,
    FLOW_CONTROL,
    HADR_TRACES,
    LONG_WAITS,
    PROCESSOR_MINUTES,
    REDO_LOCKS,
)
from agtrace.tables.sessions import (
    BLOCKED_REDO,
    LONG_TRANSACTIONS,
    READABLE_ROLES,
    ROW_VERSIONS,
    TEMPORARY_STATISTICS,
    VERSION_STORES,
)
from agtrace.tables.streams import STREAMS
from agtrace.tables.topology import GROUP_DATABASES, GROUP_OPTIONS, INSTANCE_NODES, TOPOLOGY

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()


BACKUPS = relation(
    "backup or restore operation, with its configuration, stages, bytes and outcome",
    [
        column("operation_id", _COUNT, "dense number in order of time", nullable=False),
        column("host_id", _TEXT, "server that ran it"),
        column("sql_instance", _TEXT, "its instance"),
        column("server", _TEXT, "host and instance; the file if no host is known"),
        column("database", _TEXT, "database as written"),
        column("operation", _TEXT, "backup or restore"),
        column("kind", _TEXT, "full, differential, log, file, ...; NULL if unknown"),
        column("status", _TEXT, "completed, failed, or unfinished if the log has no end"),
        column("start", UTC_TIME, "start"),
        column("end", UTC_TIME, "end"),
        column("start_local", LOCAL_TIME, "start, the server's local time"),
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
        column("first_lsn", _TEXT, "first log record of a backup, as logged; NULL if not logged"),
        column("last_lsn", _TEXT, "log record that the next log backup begins with, the same"),
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
        column("io_alignment_bytes", pa.int32(), "alignment of the file system's reads and writes", "B"),
        column("media_buffer_count", pa.int32(), "buffers of the media"),
        column("media_buffer_size_kb", pa.int32(), "size of each", "KiB"),
        column("encode_buffer_count", pa.int32(), "buffers of compression"),
        column("files", _COUNT, "data files, where traced"),
        column("file_names", pa.list_(_TEXT), "their paths"),
        column("estimated_bytes", _COUNT, "size that was estimated before", "B"),
        column("is_snapshot", pa.bool_(), "a snapshot: SQL Server itself copied no data"),
        column("stages", pa.map_(_TEXT, _NUMBER), "seconds in each stage, where traced", "s"),
        column("command", _TEXT, "statement of one that failed"),
        column("message_ids", pa.list_(pa.int32()), "messages of the failure"),
        column("unread_file", _TEXT, "file of the database that a backup which failed could not read"),
        column(
            "is_of_seeding",
            pa.bool_(),
            "a backup that failed was that of a seeding: a system session wrote to a virtual device",
            nullable=False,
        ),
        column("failure_lines", pa.list_(_COUNT), "their lines in the log"),
        column("failure_texts", pa.list_(_TEXT), "their texts"),
        column("source", _TEXT, "session that the trace flags show"),
        column("is_traced", pa.bool_(), "trace flags show its phases", nullable=False),
        column("content_id", _TEXT, "source capture"),
        column("line", _COUNT, "line in it"),
        column("idle_s", _NUMBER, "how long no backup had run on the server before it", "s"),
        column("beside", _COUNT, "operations at the same time"),
        column("run_id", _TEXT, "labelled window of its middle"),
        column("label", _TEXT, "label of that window"),
        column("factors", _TEXT, "its factors, a JSON object"),
    ],
)

ZEROED_FILES = relation(
    "file that was filled with zeros",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("content_id", _TEXT, "source capture"),
        column("line", _COUNT, "line in it"),
        column("path", _TEXT, "file that was filled with zeros"),
        column("bytes", _COUNT, "how much of it", "B"),
        column("time_local", LOCAL_TIME, "start, the server's local time"),
        column("time", UTC_TIME, "start"),
        column("seconds", _NUMBER, "how long it took; NULL if the log has no end", "s"),
        column("is_data", pa.bool_(), "a data file: instant initialisation would spare it"),
        column("operation", _TEXT, "backup or restore that it was part of"),
        column("database", _TEXT, "database of that operation"),
    ],
)

TRIALS = relation(
    "test of a load generator, build of its schema, or measured value given in runs.csv",
    [
        column("trial_id", _COUNT, "dense number in the order of the files", nullable=False),
        column(
            "tool", _TEXT, "HammerDB or SQLQueryStress; given in runs.csv: what was measured", nullable=False
        ),
        column(
            "driver", _TEXT, "timed, test, build (of the schema), given (runs.csv), or empty", nullable=False
        ),
        column(
            "load", pa.int32(), "virtual users or threads; of a given value its factor, or 1", nullable=False
        ),
        column("work", _COUNT, "transactions per user, iterations per thread, warehouses built"),
        column("start", UTC_TIME, "start"),
        column("end", UTC_TIME, "end"),
        column(
            "is_assumed_clock", pa.bool_(), "its offset from UTC is that of all other hosts", nullable=False
        ),
        column("nopm", _NUMBER, "new orders", "1/min"),
        column("tpm", _NUMBER, "transactions", "1/min"),
        column(
            "elapsed_s", _NUMBER, "run time, or a given value that is a time; NULL for the timed driver", "s"
        ),
        column("value", _NUMBER, "entered value other than a time, in its unit"),
        column("unit", _TEXT, "unit of value"),
        column("is_more_better", pa.bool_(), "whether more of value is better"),
        column(
            "resolution_s", _NUMBER, "how exact the run time is; of value in its unit", "s", nullable=False
        ),
        column("failed", pa.int32(), "virtual users that failed, or exceptions", nullable=False),
        column("readings", pa.list_(_NUMBER), "readings of the transaction counter", "1/min"),
        column(
            "reading_times", pa.list_(UTC_TIME), "when each was read; empty if the counter wrote no times"
        ),
        column("client_s", _NUMBER, "mean time of an iteration at the client", "s"),
        column("logical_reads", _NUMBER, "mean of an iteration", "pages of 8 KiB"),
        column("run_id", _TEXT, "labelled window in which it started; of several the shortest"),
        column("path", _TEXT, "source file", nullable=False),
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
        column("end", UTC_TIME, "when the log mentions it again; NULL if it does not"),
        column("what", _TEXT, "source: a parameter, or DBCC, which may hold for one session"),
        column("content_id", _TEXT, "source ERRORLOG or snapshot"),
        column("path", _TEXT, "its path within the case"),
        column("line", _COUNT, "line in it"),
    ],
)

SERVER_OPTIONS = relation(
    "period in which a configuration option of a server had a value",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("option", _TEXT, "name as sp_configure has it", nullable=False),
        column(
            "value", _TEXT, "configured value, in a snapshot the one in use, in the unit that the name says"
        ),
        column("start", UTC_TIME, "since when; NULL if it is unknown"),
        column("end", UTC_TIME, "until when, or until the log leaves something out; NULL if unknown"),
        column("start_local", LOCAL_TIME, "since when, the server's local time; NULL: not known"),
        column("end_local", LOCAL_TIME, "until when, the same; NULL if unknown"),
        column("what", _TEXT, "source of the value", nullable=False),
        column("content_id", _TEXT, "source ERRORLOG"),
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
        column("host_id", _TEXT, "queried server"),
        column("sql_instance", _TEXT, "its instance"),
        column("time_local", LOCAL_TIME, "when, the server's local time"),
        column("time", UTC_TIME, "when"),
        column("ag", _TEXT, "availability group"),
        column("replica", _TEXT, "replica while it is the primary, or its id; NULL: the list has no route"),
        column("priority", pa.int32(), "order in its list, from 1"),
        column("routed_to", _TEXT, "replica that gets the connections, or its id"),
        column("connections_allowed", _TEXT, "NO, READ_ONLY or ALL: what it allows as a secondary"),
        column("routing_url", _TEXT, "its read-only routing URL"),
    ],
)

RELATIONS: dict[str, pa.Schema] = {
    "reference_clock": REFERENCE_CLOCK,
    "backups": BACKUPS,
    "zeroed_files": ZEROED_FILES,
    "seedings": SEEDINGS,
    "seeding_states": SEEDING_STATES,
    "seeding_progress": SEEDING_PROGRESS,
    "trials": TRIALS,
    "trace_flags": TRACE_FLAGS,
    "server_starts": SERVER_STARTS,
    "server_versions": SERVER_VERSIONS,
    "server_properties": SERVER_PROPERTIES,
    "server_options": SERVER_OPTIONS,
    "power_plans": POWER_PLANS,
    "filter_drivers": FILTER_DRIVERS,
    "network_facts": NETWORK_FACTS,
    "collections": COLLECTIONS,
    "routing": ROUTING,
    "database_faults": DATABASE_FAULTS,
    "recoveries": RECOVERIES,
    "roles": ROLES,
    "timeline": TIMELINE,
    "connections": CONNECTIONS,
    "restarts": RESTARTS,
    "failovers": FAILOVERS,
    "standstills": STANDSTILLS,
    "incidents": INCIDENTS,
    "component_health": COMPONENT_HEALTH,
    "processor_minutes": PROCESSOR_MINUTES,
    "long_waits": LONG_WAITS,
    "commit_waits": COMMIT_WAITS,
    "flow_control": FLOW_CONTROL,
    "redo_locks": REDO_LOCKS,
    "hadr_traces": HADR_TRACES,
    "counter_values": COUNTER_VALUES,
    "log_growths": LOG_GROWTHS,
    "coverage": COVERAGE,
    "log_gaps": LOG_GAPS,
    "perfmon_gaps": PERFMON_GAPS,
    "clock_steps": CLOCK_STEPS,
    "unknown_offsets": UNKNOWN_OFFSETS,
    "log_blocks": LOG_BLOCKS,
    "streams": STREAMS,
    "topology": TOPOLOGY,
    "instance_nodes": INSTANCE_NODES,
    "group_options": GROUP_OPTIONS,
    "group_databases": GROUP_DATABASES,
    "groups": GROUPS,
    "replicas": REPLICAS,
    "database_states": DATABASE_STATES,
    "listeners": LISTENERS,
    "cluster_settings": CLUSTER_SETTINGS,
    "cluster_items": CLUSTER_ITEMS,
    "waits": WAITS,
    "file_io": FILE_IO,
    "hadr_requests": HADR_REQUESTS,
    "blocked_redo": BLOCKED_REDO,
    "long_transactions": LONG_TRANSACTIONS,
    "version_stores": VERSION_STORES,
    "readable_roles": READABLE_ROLES,
    "row_versions": ROW_VERSIONS,
    "temporary_statistics": TEMPORARY_STATISTICS,
    "databases": DATABASES,
    "ag_names": AG_NAMES,
    "rowsets": ROWSETS,
    "log_entries": LOG_ENTRIES,
    "log_messages": LOG_MESSAGES,
    "os_events": OS_EVENTS,
    "cluster_log": CLUSTER_LOG,
}
"""By name, in the order of docs/store.md."""

EVERY_SAMPLE = frozenset(("counter_values",))
"""Relations with a row for each perfmon sample; they are copied only on request."""
