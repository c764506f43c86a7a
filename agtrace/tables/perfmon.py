"""The Arrow schemas of relations of perfmon logs: values of counters, gaps, clocks that were set."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

COUNTER_VALUES = relation(
    "value of a counter of perfmon, by its canonical English name; each observation once",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance; NULL for counters of Windows"),
        column("object", _TEXT, "object, SQLServer:<Object> for every instance"),
        column("instance", _TEXT, "database, disk, card, ...; NULL if the counter has none"),
        column("counter", _TEXT, "counter"),
        column("content_id", _TEXT, "log that holds it"),
        column("time", UTC_TIME, "when; NULL if the offset is unknown"),
        column("time_local", LOCAL_TIME, "when, local time of the collecting host"),
        column("value", _NUMBER, "value, in the unit of the counter"),
    ],
)

LOG_GROWTHS = relation(
    "log of a primary database in the last hour of its counters: how full it is, how fast it fills",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("database", _TEXT, "database"),
        column("start", UTC_TIME, "first sample of that hour"),
        column("end", UTC_TIME, "last sample"),
        column("samples", _COUNT, "samples in it"),
        column("used_bytes", _NUMBER, "log in use at the end", "B"),
        column("growth_bytes_per_s", _NUMBER, "slope of a straight line through that hour", "B/s"),
        column("late_growth_bytes_per_s", _NUMBER, "slope of a line through its later half", "B/s"),
        column("growth_error_bytes_per_s", _NUMBER, "standard error of the first slope", "B/s"),
    ],
)

PERFMON_GAPS = relation(
    "period in which a perfmon log has no rows, and no other log with most of its counters has",
    [
        column("host_id", _TEXT, "host of the log"),
        column("content_id", _TEXT, "the log"),
        column("start", UTC_TIME, "last row before it; local time taken for UTC where the offset is unknown"),
        column("end", UTC_TIME, "first row after it, the same"),
        column("interval_s", _NUMBER, "sampling interval of the log", "s"),
        column("missing_s", _NUMBER, "length of the gap less one interval", "s"),
        column("missing_rows", _COUNT, "rows that are missing", "rows"),
    ],
)

CLOCK_STEPS = relation(
    "step back in time from one row or entry of a log to the next",
    [
        column("source", _TEXT, "perfmon or ERRORLOG", nullable=False),
        column("host_id", _TEXT, "host of the log"),
        column("content_id", _TEXT, "the log"),
        column("line", _COUNT, "line of the entry, or number of the row, after the step"),
        column("before", UTC_TIME, "time before the step; NULL if the offset is unknown"),
        column("before_local", LOCAL_TIME, "the same, local time of the host"),
        column("after", UTC_TIME, "time after the step; NULL if the offset is unknown"),
        column("after_local", LOCAL_TIME, "the same, local time of the host"),
        column("back_s", _NUMBER, "how far the clock went back", "s"),
    ],
)

UNKNOWN_OFFSETS = relation(
    "perfmon log or ERRORLOG with rows whose offset from UTC is unknown",
    [
        column("source", _TEXT, "perfmon or ERRORLOG", nullable=False),
        column("host_id", _TEXT, "host of the log"),
        column("content_id", _TEXT, "the log"),
        column("rows", _COUNT, "rows or entries", "rows"),
        column("unknown", _COUNT, "those of them without a known offset", "rows"),
        column("first_local", LOCAL_TIME, "first of these, local time of the host"),
        column("last_local", LOCAL_TIME, "last of these, the same"),
    ],
)
