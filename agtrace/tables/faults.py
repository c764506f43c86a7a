"""The Arrow schemas of the relations ``database_faults`` and ``recoveries``."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _COUNT = pa.string(), pa.int64()

DATABASE_FAULTS = relation(
    "period in which a database could not be written, redone or recovered",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("database", _TEXT, "database as written"),
        column("kind", _TEXT, "log_full (9002), not_recovered (3414) or redo_failed (3313)", nullable=False),
        column("reason", _TEXT, "for a full log: what prevents its reuse (log_reuse_wait_desc)"),
        column("start", UTC_TIME, "first entry; NULL if the offset is unknown"),
        column("end", UTC_TIME, "last entry"),
        column("start_local", LOCAL_TIME, "the same, the server's local time"),
        column("end_local", LOCAL_TIME, "the same"),
        column("entries", _COUNT, "number of entries", nullable=False),
        column("cause_error", _COUNT, "error that its session logged just before a recovery or redo failed"),
        column("cause", _TEXT, "its text: it names the page or file"),
        column("cause_line", _COUNT, "its line"),
        column("content_id", _TEXT, "ERRORLOG with the first entry"),
        column("line", _COUNT, "line of the first entry"),
    ],
)

RECOVERIES = relation(
    "recovery of a database that completed",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("database", _TEXT, "database as written"),
        column("start", UTC_TIME, "its end less the time stated; NULL if the offset is unknown"),
        column("end", UTC_TIME, "its end"),
        column("start_local", LOCAL_TIME, "the same, the server's local time"),
        column("end_local", LOCAL_TIME, "the same"),
        column("seconds", _COUNT, "how long it took, as stated", "s"),
        column("analysis_ms", _COUNT, "time of the analysis", "ms"),
        column("redo_ms", _COUNT, "time of the redo", "ms"),
        column("undo_ms", _COUNT, "time of the undo", "ms"),
        column("vlf_limit", _COUNT, "the log has more virtual log files than this (9017)"),
        column("vlf_line", _COUNT, "line of that entry"),
        column("promoted_local", LOCAL_TIME, "change to PRIMARY at its start, the server's local time"),
        column("content_id", _TEXT, "source ERRORLOG"),
        column("line", _COUNT, "line in it"),
    ],
)
