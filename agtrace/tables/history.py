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

_BLOCK_ID = pa.decimal128(20, 0)


def _instant(name: str, meaning: str, host: str) -> pa.Field:
    """Declare an instant of a log block."""
    return column(name, UTC_TIME, f"{meaning}, by the {host}'s clock; NULL where not seen")


LOG_BLOCKS = relation(
    "log block and replica, for each time that it was sent, with the instant of every hop",
    [
        column("ag", _TEXT, "group; NULL where only ids are known"),
        column("database", _TEXT, "database; NULL where only its id is known"),
        column("group_database_id", _TEXT, "its id in the group, lower case", nullable=False),
        column("primary_host", _TEXT, "host_id of the primary; NULL where it was not captured"),
        column("replica_host", _TEXT, "host_id of the replica; NULL where it was not captured"),
        column("replica", _TEXT, "name of the replica; NULL where only its id is known"),
        column("replica_id", _TEXT, "id of the replica, lower case"),
        column("commit_mode", _TEXT, "synchronous or asynchronous; NULL where nothing tells it"),
        column("log_block_id", _BLOCK_ID, "id of the block", nullable=False),
        column("next_log_block_id", _BLOCK_ID, "id of the block after it"),
        column("attempt", pa.int32(), "how often it was sent until then, from 1", nullable=False),
        column("bytes", _COUNT, "size of the log in it", "B"),
        column("compressed_bytes", _COUNT, "its size when compressed", "B"),
        column("commits", _COUNT, "commits that waited for it; NULL where none was seen"),
        _instant("t_first", "earliest of capture, log pool and local flush", "primary"),
        _instant("t_flush_start", "begin of the local flush", "primary"),
        _instant("t_flushed", "end of the local flush", "primary"),
        _instant("t_captured", "captured for the replica", "primary"),
        _instant("t_compressed", "compressed", "primary"),
        _instant("t_sent", "handed to the network", "primary"),
        _instant("t_ack_received", "acknowledgement came in", "primary"),
        _instant("t_ack_processed", "acknowledgement was processed", "primary"),
        _instant("t_committed", "last commit that waited for it was over", "primary"),
        _instant("t_received", "came in", "replica"),
        _instant("t_receive_done", "reception was over", "replica"),
        _instant("t_decompressed", "decompressed", "replica"),
        _instant("t_replica_flush_start", "begin of the remote flush", "replica"),
        _instant("t_hardened", "on the replica's disk", "replica"),
        _instant("t_ack_sent", "acknowledgement was handed to the network", "replica"),
        column(
            "skew_ms",
            _NUMBER,
            "replica's clock less the primary's at that moment; holds what the usual way forward took",
            "ms",
        ),
        column("skew_spread_ms", _NUMBER, "by how much that may be wrong", "ms"),
        column("capture_ms", _NUMBER, "t_first to t_captured", "ms"),
        column("compression_ms", _NUMBER, "t_captured to t_compressed", "ms"),
        column("send_ms", _NUMBER, "t_compressed (t_captured when uncompressed) to t_sent", "ms"),
        column(
            "network_ms",
            _NUMBER,
            "both ways of the wire, queues of the transport included; free of skew",
            "ms",
        ),
        column("receive_ms", _NUMBER, "t_received to t_receive_done", "ms"),
        column("decompression_ms", _NUMBER, "t_receive_done to t_decompressed", "ms"),
        column("remote_harden_ms", _NUMBER, "t_decompressed to t_hardened", "ms"),
        column(
            "acknowledgement_ms",
            _NUMBER,
            "t_hardened to t_ack_sent and t_ack_received to t_ack_processed",
            "ms",
        ),
        column("local_harden_ms", _NUMBER, "the local flush, beside the others", "ms"),
        column("commit_ms", _NUMBER, "t_first to the later of t_ack_processed, t_flushed", "ms"),
        column(
            "commit_wait_ms",
            _NUMBER,
            "mean time_to_commit of its commits, which begins when the local flush ends",
            "ms",
        ),
        column("network_forward_ms", _NUMBER, "t_sent to t_received, skew removed", "ms"),
        column("network_return_ms", _NUMBER, "t_ack_sent to t_ack_received, skew removed", "ms"),
        column(
            "remote_ms", _NUMBER, "t_sent to t_ack_received: all that the primary can know", "ms"
        ),
        column("joined", pa.bool_(), "seen on both hosts", nullable=False),
        column(
            "why_not",
            _TEXT,
            "why it is not joined: not captured, outside session, or event lost",
        ),
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
    "log_blocks": LOG_BLOCKS,
}
"""By name, in the order of docs/store.md."""
