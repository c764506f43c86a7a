"""database.reverting and database.not_recovered: which, since when, for how long yet, and why.

Sources: messages 3414 and 3313 of sys.messages; "Troubleshoot an availability group database in reverting
state", "Configure Extended Events for availability groups" (hadr_trace_message) and "SQL Server, Database
Replica object" of Microsoft's documentation; docs/formats/errorlog.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.database.measures import (
    DONE,
    ENTRIES,
    LEFT,
    RATE,
    SIGMAS,
    TIME_LEAST,
    TIME_LEFT,
    TIME_MOST,
    TOTAL,
    moments,
    window_of,
)
from agtrace.diagnostics.database.rows import NotRecovered, Reverting, Snapshots, Traced
from agtrace.measures import Measured, quoted
from agtrace.say import words
from agtrace.say.said import Judged

SURE, COUNTED, TRACED = 0.95, 0.9, 0.8
"""Confidence if a message shows it; if counters or a snapshot do; if the text of an undocumented trace
message does."""
LEAST_TRACED = 3
"""Progress is traced about every five minutes: this many entries give a rate with an error."""
DONE_PERCENT = 100.0
OVER = ("finish", "complete")
"""Words of the last trace message of a completed revert, in English, with or without a percentage."""


def reverting(
    rows: Iterable[Reverting], traced: Iterable[Traced], snapshots: Iterable[Snapshots], least: int
) -> list[Judged]:
    """Judge each revert: those in perfmon, those only in a trace, and those only in a snapshot.

    Parameters
    ----------
    rows, traced, snapshots
        Of reverting.sql, traced.sql and snapshots.sql.
    least
        Fewest samples for a rate of counters.
    """
    found = [_reverting(row, least) for row in rows]
    told = {(each.subject["database"], each.subject["replica"]) for each in found}
    found += [_traced(row) for row in traced if (row.database, row.host_id) not in told]
    told |= {(each.subject["database"], each.subject["replica"]) for each in found}
    return [*found, *(_of_snapshot(row) for row in snapshots if (row.database, row.replica) not in told)]


def _reverting(row: Reverting, least: int) -> Judged:
    source = f"Log remaining for undo of {row.database} on {row.host_id}, n = {row.samples}"
    slope = row.slope if row.slope is not None and row.samples >= least else 0.0
    rate = -slope if slope < 0 else None
    numbers = [LEFT(row.last_bytes, source)]
    if row.total_bytes:
        numbers.append(TOTAL(row.total_bytes, f"Total Log requiring undo of {row.database}"))
    time_left = low = high = None
    if rate is not None:
        numbers.append(RATE(rate, source))
        if not row.is_over:
            error = SIGMAS * row.slope_error
            time_left, low = row.last_bytes / rate, row.last_bytes / (rate + error)
            high = row.last_bytes / (rate - error) if rate > error else None
            numbers += [TIME_LEFT(time_left, source), TIME_LEAST(low, source)]
            numbers += [TIME_MOST(high, source)] if high is not None else []
    variant = "over" if row.is_over else "left" if time_left is not None else "still"
    return Judged(
        said=f"reverting.{variant}",
        id="database.reverting",
        severity="notice" if row.is_over else "warning",
        subject={"database": row.database, "replica": row.host_id},
        window=window_of(row),
        confidence=COUNTED,
        evidence=tuple(numbers),
        facts={
            "database": row.database, "host": row.host_id, **moments(row),
            "at_first": row.first_bytes, "remaining": row.last_bytes, "rate": rate,
            "time_left": time_left, "low": low, "high": high, "samples": row.samples, "least": least,
        },
    )  # fmt: skip


def _traced(row: Traced) -> Judged:
    """Judge a revert by the progress in hadr_trace_message."""
    percent, slope = row.percent, row.slope
    said = str(row.text).lower()
    is_over = (percent is None and any(word in said for word in OVER)) or percent == DONE_PERCENT
    is_rate = not is_over and row.samples >= LEAST_TRACED and slope is not None and slope > 0
    source = f"hadr_trace_message of {row.path}, n = {row.entries}"
    numbers: list[Measured] = [quoted("the last of them", row.text, row.path)]
    numbers += [DONE(percent, source)] if percent is not None else []
    time_left = low = high = None
    if is_rate and percent is not None and slope is not None:
        error, left = SIGMAS * (row.slope_error or 0.0), DONE_PERCENT - percent
        time_left, low = left / slope, left / (slope + error)
        high = left / (slope - error) if slope > error else None
        numbers += [TIME_LEFT(time_left, source), TIME_LEAST(low, source)]
        numbers += [TIME_MOST(high, source)] if high is not None else []
    return Judged(
        said=f"reverting.traced_{'over' if is_over else 'left' if is_rate else 'still'}",
        id="database.reverting",
        severity="notice" if is_over else "warning",
        subject={"database": row.database, "replica": row.host_id},
        window=window_of(row),
        confidence=TRACED if row.is_known else TRACED - 0.1,
        evidence=tuple(numbers),
        facts={
            "database": row.database, "host": row.host_id, **moments(row), "percent": percent,
            "time_left": time_left, "low": low, "high": high, "samples": row.entries,
        },
    )  # fmt: skip


def _of_snapshot(row: Snapshots) -> Judged:
    return Judged(
        said="reverting.looked",
        id="database.reverting",
        severity="warning",
        subject={"ag": row.ag or "", "database": row.database, "replica": row.replica},
        window=window_of(row),
        confidence=COUNTED,
        evidence=(quoted("state", "REVERTING", f"{row.path} line {row.line}"),),
        facts={"database": row.database, "host": row.replica, "looks": row.looks, **moments(row)},
    )


def not_recovered(rows: Iterable[NotRecovered]) -> list[Judged]:
    """Judge each database that did not recover, or whose redo failed.

    Parameters
    ----------
    rows
        Rows of not_recovered.sql.
    """
    return [_not_recovered(row) for row in rows]


def _not_recovered(row: NotRecovered) -> Judged:
    place = f"{row.path} line {row.line}"
    numbers = [ENTRIES(row.entries, place)]
    if row.cause:
        cause_place = f"{row.path} line {row.cause_line}"
        numbers.append(quoted(f"logged just before (error {row.cause_error})", row.cause, cause_place))
    if row.back is not None:
        numbers.append(quoted("back", words.instant(row.back), "timeline of its host"))
    return Judged(
        said=f"not_recovered.{row.kind}",
        id="database.not_recovered",
        severity="warning" if row.back is not None else "critical",
        subject={"ag": row.ag or "", "database": row.database or "", "host": row.host_id},
        window=window_of(row),
        confidence=SURE,
        evidence=tuple(numbers),
        facts={
            "database": row.database,
            "host": row.host_id,
            "entries": row.entries,
            **moments(row),
            "cause": row.cause,
            "error": row.cause_error and str(row.cause_error),
            "back": row.back,
        },
    )
