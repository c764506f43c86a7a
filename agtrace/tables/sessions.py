"""The Arrow schema of what support tools' outputs tell of sessions: readers, row versions, and blocked redo.

They are relations as those of `agtrace.tables.history`, where all of them are listed.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation
from agtrace.tables.looks import WRITTEN

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

_WHOSE = [
    column("client", _TEXT, "machine that the session came from"),
    column("program", _TEXT, "its program"),
    column("login", _TEXT, "its login"),
    column("statement", _TEXT, "its statement, as far as the output has it; cut at 400 characters"),
]

VERSION_STORES = relation(
    "version store of a server in a snapshot",
    [
        *WRITTEN,
        column("size_kb", _COUNT, "row versions in tempdb", "KB"),
        column("free_kb", _COUNT, "unused space in tempdb's files", "KB"),
    ],
)

READABLE_ROLES = relation(
    "period in which a server was a primary, or had secondaries not known to be closed to readers",
    [
        column("host_id", _TEXT, "server"),
        column("role", _TEXT, "PRIMARY or SECONDARY"),
        column("start", UTC_TIME, "start; NULL if unknown"),
        column("end", UTC_TIME, "end, the same"),
        column("start_local", LOCAL_TIME, "start, the server's local time, where UTC is unknown"),
        column("end_local", LOCAL_TIME, "end, the same"),
        column("is_local", pa.bool_(), "whether only local times bound it"),
        column("is_readable", pa.bool_(), "whether snapshots show that clients may read; NULL: no snapshot"),
    ],
)

ROW_VERSIONS = relation(
    "size of row versions or of tempdb, or age of a transaction, of a server with secondaries",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("counter", _TEXT, "counter of SQLServer:Transactions"),
        column("time", UTC_TIME, "when; NULL if the offset is unknown"),
        column("time_local", LOCAL_TIME, "when, the server's local time"),
        column("value", _NUMBER, "its value, in the unit that the counter's name says, or seconds"),
        column("source", _TEXT, "perfmon, or the view that a snapshot shows"),
        column("is_readable", pa.bool_(), "whether snapshots show that clients may read its secondaries"),
        column("is_secondary", pa.bool_(), "whether it is known to have had secondaries then"),
        column("is_primary_too", pa.bool_(), "whether it was a primary of another group then"),
    ],
)

LONG_TRANSACTIONS = relation(
    "transaction of a session that had been open for a minute or longer in a snapshot of a server",
    [
        *WRITTEN,
        column("session_id", _COUNT, "session"),
        column("seconds", _COUNT, "how long it had been open", "s"),
        column("is_snapshot", pa.bool_(), "whether it reads row versions; NULL if unknown"),
        *_WHOSE,
    ],
)

BLOCKED_REDO = relation(
    "snapshot of a server in which redo waited for a lock of a session",
    [
        *WRITTEN,
        column("redo_session_id", _COUNT, "session of the redo"),
        column("database", _TEXT, "its database, where an output of the server names it"),
        column("database_id", _COUNT, "the database's id on the server"),
        column("wait_type", _TEXT, "lock that it waited for: LCK_M_SCH_M, ..."),
        column("wait_ms", _COUNT, "how long it had waited", "ms"),
        column("session_id", _COUNT, "session that held the lock"),
        column("seconds", _COUNT, "how long its transaction had been open; NULL if unknown", "s"),
        *_WHOSE,
    ],
)

TEMPORARY_STATISTICS = relation(
    "statistics that a server made in tempdb of a database that it can only read, in a snapshot",
    [
        *WRITTEN,
        column("database", _TEXT, "database"),
        column("schema", _TEXT, "schema of the table"),
        column("object", _TEXT, "table or indexed view"),
        column("name", _TEXT, "name of the statistics"),
        column("updated_local", LOCAL_TIME, "when they were made or updated, the server's local time"),
        column("rows", _COUNT, "rows that the table had then", "rows"),
    ],
)
