"""The Arrow schemas of relations whose rows are events of sessions of Extended Events."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

_EVENT = [
    column("time", UTC_TIME, "when"),
    column("host_id", _TEXT, "server"),
    column("sql_instance", _TEXT, "its instance"),
    column("content_id", _TEXT, "file that keeps it"),
    column("seq", _COUNT, "number of the event in it"),
]

PROCESSOR_MINUTES = relation(
    "minute of a server, as system_health keeps its processors",
    [
        *_EVENT,
        column("machine_percent", _NUMBER, "all processors of the machine, by all processes", "%"),
        column("sql_percent", _NUMBER, "the same, by SQL Server alone", "%"),
    ],
)

LONG_WAITS = relation(
    "long wait of a request in system_health, logged when it ends",
    [
        *_EVENT,
        column("wait_type", _TEXT, "type of the wait"),
        column("ms", _NUMBER, "how long it lasted", "ms"),
    ],
)

COMMIT_WAITS = relation(
    "commit that waited for its replicas (hadr_db_commit_mgr_harden)",
    [
        *_EVENT,
        column("group_database_id", _TEXT, "id of the database in its group, lower case"),
        column("ms", _NUMBER, "how long it waited, from the end of the local flush", "ms"),
    ],
)

FLOW_CONTROL = relation(
    "change of a gate of flow control: log is not sent while it is closed",
    [
        *_EVENT,
        column("gate", _TEXT, "send gate (of a replica) or database gate"),
        column(
            "gate_id", _TEXT, "id of the replica, of a database gate that of the database there; lower case"
        ),
        column("is_closed", pa.bool_(), "whether it closed; else it opened"),
    ],
)

REDO_LOCKS = relation(
    "wait of redo for a lock (lock_redo_blocked)",
    [
        *_EVENT,
        column("database", _TEXT, "database that is redone"),
        column("object_id", _COUNT, "object that is locked, by its id in the database"),
    ],
)

HADR_TRACES = relation(
    "message of hadr_trace_message: what availability groups trace of their own work",
    [*_EVENT, column("text", _TEXT, "the message")],
)
