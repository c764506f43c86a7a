"""Measures of databases that are not written, are reverting or did not recover, with start and end."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from agtrace.diagnostics.database.rows import Full, NotRecovered, Recovered, Reverting, Snapshots, Traced
from agtrace.measures import Measure
from agtrace.say.finding import window

ENTRIES = Measure("entries", "entries that tell of it")
USED = Measure("log_used_bytes", "log used", "B", "Log File(s) Used Size (KB), the last sample")
SIZE = Measure("log_size_bytes", "size of the log", "B", "Log File(s) Size (KB), the last sample")
GROWTH = Measure("log_growth_bytes_per_s", "growth of the log before", "B/s", "slope over the hour before")
FULL_IN = Measure("log_full_s", "log full in", "s", "what is free in its file, by its growth")
FULL_LEAST = Measure(
    "log_full_low_s", "log full in, at least", "s", "by the upper end of the growth's 95 % interval"
)
FULL_MOST = Measure(
    "log_full_high_s", "log full in, at most", "s", "by the lower end of the growth's 95 % interval"
)
WRITES = Measure("replica_log_write_ms", "log write of {replica}, n = {n:,}", "ms", "mean of its log flushes")
HELD = Measure("held_bytes", "queue of the replica that holds it back", "B")
LEFT = Measure("undo_left_bytes", "log remaining for undo", "B", "the last sample")
TOTAL = Measure("undo_total_bytes", "log requiring undo in all", "B")
RATE = Measure("undo_bytes_per_s", "reverted", "B/s", "slope of what was left")
DONE = Measure("undo_done_percent", "reverted so far", "%", "the last hadr_trace_message that tells it")
TIME_LEFT = Measure("undo_left_s", "time left", "s", "what was left, by the rate at which it shrank")
TIME_LEAST = Measure(
    "undo_left_low_s", "time left, at least", "s", "by the upper end of the rate's 95 % interval"
)
TIME_MOST = Measure(
    "undo_left_high_s", "time left, at most", "s", "by the lower end of the rate's 95 % interval"
)


SIGMAS = 1.96
"""Standard errors around a slope that contain 95 % of a normal distribution."""


Row: TypeAlias = Full | NotRecovered | Recovered | Reverting | Snapshots | Traced


def window_of(row: Row) -> dict[str, str | bool]:
    """Return the window of a row: in UTC, or in its host's time where the offset is not known."""
    if row.start is not None and row.end is not None:
        return window(row.start, row.end)
    if row.start_local is not None and row.end_local is not None:
        return window(row.start_local, row.end_local, is_local=True)
    return {}


def moments(row: Row) -> dict[str, datetime | None]:
    """Return the first and last moment: in UTC, or as its host wrote them where the offset is not known."""
    return {"first": row.start or row.start_local, "last": row.end or row.end_local}
