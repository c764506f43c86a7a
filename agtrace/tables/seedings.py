"""The Arrow schemas of automatic seedings, their states and their progress."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

FAILURE = pa.struct(
    [
        column("state", _COUNT, "failure_state: hundreds digit 1 the source, 2 the target"),
        column("text", _TEXT, "as the server says it"),
        column("time", UTC_TIME, "when"),
        column("where", _TEXT, "source: event, DMV or line of an ERRORLOG, and the host"),
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
            f"source captures of the {role} (xel, dmv, errorlog, perfmon); empty if only the other "
            "end and counters were captured; NULL without any capture",
        ),
        column(f"{role}_remote", _TEXT, f"other machine, as the {role} writes it"),
        column(f"{role}_start", UTC_TIME, f"first instant of automatic seeding on the {role}"),
        column(f"{role}_end", UTC_TIME, f"last instant of automatic seeding on the {role}"),
        column(f"{role}_start_written", LOCAL_TIME, "start_time of the DMV, zone not known"),
        column(f"{role}_end_written", LOCAL_TIME, "completion_time of the DMV, zone not known"),
        column(f"{role}_copy_start", UTC_TIME, f"start of the copy on the {role}"),
        column(f"{role}_copy_end", UTC_TIME, f"end of the copy on the {role}"),
        column(f"{role}_transferred_bytes", _COUNT, f"last figure that the {role} reports", "B"),
        column(f"{role}_database_bytes", _COUNT, f"size that the {role} reports", "B"),
        column(f"{role}_disk_wait_ms", _COUNT, f"disk waits of the {role} over the copy", "ms"),
        column(f"{role}_network_wait_ms", _COUNT, f"network waits of the {role}", "ms"),
        column(f"{role}_is_compression_enabled", pa.bool_(), "as reported; false even of compressed streams"),
    ]


SEEDINGS = relation(
    "seeding of a database to a replica, from all its captures",
    [
        column("seeding_id", _COUNT, "dense number in order of time, from 1", nullable=False),
        column("database", _TEXT, "database; NULL if only its guid is known"),
        column("ag", _TEXT, "group"),
        column("database_guid", _TEXT, "ag_db_id, lower case"),
        column(
            "outcome",
            _TEXT,
            "completed, already_present (nothing was copied), failed, cut_off (by a restart, or its "
            "events end on one side), running (to the end of the captures)",
            nullable=False,
        ),
        column("start", UTC_TIME, "first request, else the copy's start"),
        column("end", UTC_TIME, "last state; NULL while it runs"),
        column("copy_start", UTC_TIME, "start of the last attempt's copy"),
        column("copy_end", UTC_TIME, "its end"),
        column("copied_bytes", _COUNT, "bytes of the database copied, never those on the wire", "B"),
        column("bytes_source", _TEXT, "source of the number", nullable=False),
        column("database_bytes", _COUNT, "reported size of the database", "B"),
        column("attempts", _COUNT, "number of attempts, where reported"),
        column(
            "backup_ids", pa.list_(_COUNT), "its ends, as operation_id of relation backups", nullable=False
        ),
        column("failures", pa.list_(FAILURE), "reasons, in order of time", nullable=False),
        column("told_by", pa.list_(_TEXT), "source captures", nullable=False),
        column("unjoined", _TEXT, "ambiguities; empty without any", nullable=False),
        column(
            "time_basis", _TEXT, "how local times were resolved, in words; unknown, or empty", nullable=False
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
        column("start", UTC_TIME, "start", nullable=False),
        column("end", UTC_TIME, "end; final states end at once; NULL if not captured"),
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
