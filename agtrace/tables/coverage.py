"""The Arrow schema of what each host was watched by, and when."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

COVERAGE = relation(
    "period that a source of a host and instance covers without a known gap",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("sql_instance", _TEXT, "its instance; NULL: the machine, or unknown"),
        column(
            "source",
            _TEXT,
            "ERRORLOG, AlwaysOn_health, system_health, SQLDIAG, other Extended Events, perfmon, "
            "cluster log, event log or support output",
            nullable=False,
        ),
        column("first", UTC_TIME, "first record; NULL if the offset is unknown"),
        column("last", UTC_TIME, "last record; NULL if the offset is unknown"),
        column("first_local", LOCAL_TIME, "first record, local time of the host; NULL: source in UTC"),
        column("last_local", LOCAL_TIME, "last record, the same"),
        column("records", _COUNT, "entries, events, samples or values", nullable=False),
        column("captures", _COUNT, "files that it is made of", nullable=False),
        column(
            "longest_silence_s", _NUMBER, "longest time without a record; NULL: less than ten seconds", "s"
        ),
        column("silent_from", UTC_TIME, "last record before it"),
        column("silent_to", UTC_TIME, "first record after it"),
        column("expected_s", _NUMBER, "how often nine of ten records came; NULL: only on events", "s"),
        column("expected", _TEXT, "source with that pace; NULL without one"),
    ],
)
