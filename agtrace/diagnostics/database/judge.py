"""database.log_full, database.reverting and database.not_recovered: which, since when, and why.

Sources: messages 9002, 3414 and 3313 of sys.messages; "Troubleshoot a full transaction log (SQL Server Error
9002)" and "sys.databases, log_reuse_wait" of Microsoft's documentation; docs/formats/errorlog.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agtrace.diagnostics.database.measures import (
    ENTRIES,
    GROWTH,
    HELD,
    LEFT,
    RATE,
    SIZE,
    TIME_LEAST,
    TIME_LEFT,
    TIME_MOST,
    TOTAL,
    USED,
)
from agtrace.measures import Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged

Row = Mapping[str, Any]

BY_REASON = {"AVAILABILITY_REPLICA": "replica", "LOG_BACKUP": "backup", "ACTIVE_TRANSACTION": "transaction"}
"""What keeps a log from being reused (log_reuse_wait_desc), and the words for it; others share theirs."""
SURE, HOLDER_GUESSED, HOLDER_UNKNOWN = 0.95, 0.85, 0.8
"""Message 9002 names the reason; who holds the log back is seen, told by queues alone, or not captured."""
SEEN = ("connection", "suspended")
SIGMAS = 1.96
"""Of a normal distribution, 95 % lie so many standard errors around the slope."""


def full(rows: Iterable[Row]) -> list[Judged]:
    """Judge each log that was full.

    Parameters
    ----------
    rows
        Of full.sql.
    """
    return [_full(row) for row in rows]


def _full(row: Row) -> Judged:
    place = f"{row['path']} line {row['line']}"
    perfmon = f"perfmon of {row['host_id']}, {row['database']}"
    numbers: list[Measured] = [ENTRIES(row["entries"], place), quoted("reason", row["reason"], place)]
    if row["used_bytes"] is not None:
        numbers.append(USED(row["used_bytes"], perfmon))
    if row["size_bytes"] is not None:
        numbers.append(SIZE(row["size_bytes"], perfmon))
    grows = row["growth"] is not None and row["growth"] > 0 and row["samples"] > 2
    if grows:
        numbers.append(GROWTH(row["growth"], f"{perfmon}, n = {row['samples']}"))
    hop = row["hop"]
    if hop:
        numbers.append(
            quoted("held back by", row["replica"] or "not named", f"{hop}, as the captures show it")
        )
    if row["held_bytes"] is not None:
        numbers.append(HELD(row["held_bytes"], f"perfmon, {hop} queue of {row['replica']}"))
    kind = BY_REASON.get(row["reason"], "other")
    of_replica = kind == "replica"
    return Judged(
        said=f"log_full.{kind}",
        id="database.log_full",
        severity="critical",
        subject={
            "ag": row["ag"] or "", "database": row["database"],
            "replica": (row["replica"] or "") if of_replica else "", "host": row["host_id"],
        },
        window=_window(row),
        confidence=SURE if not of_replica or hop in SEEN else HOLDER_GUESSED if hop else HOLDER_UNKNOWN,
        evidence=tuple(numbers),
        facts={
            "database": row["database"], "host": row["host_id"], "reason": row["reason"],
            "entries": row["entries"], **_moments(row), "replica": row["replica"], "hop": hop,
            "since": row["held_since"], "held": row["held_bytes"], "used": row["used_bytes"],
            "growth": row["growth"] if grows else None,
        },
    )  # fmt: skip


def reverting(rows: Iterable[Row], looks: Iterable[Row], least: int) -> list[Judged]:
    """Judge each revert that perfmon showed, and those that only a look showed.

    Parameters
    ----------
    rows, looks
        Of reverting.sql and looked.sql.
    least
        So many samples a rate rests on.
    """
    found = [_reverting(row, least) for row in rows]
    told = {(each.subject["database"], each.subject["replica"]) for each in found}
    return [*found, *(_looked(row) for row in looks if (row["database"], row["replica"]) not in told)]


def _reverting(row: Row, least: int) -> Judged:
    source = f"Log remaining for undo of {row['database']} on {row['host_id']}, n = {row['samples']}"
    shrinks = row["slope"] is not None and row["slope"] < 0
    rate = -row["slope"] if shrinks and row["samples"] >= least else None
    numbers = [LEFT(row["last_bytes"], source)]
    if row["total_bytes"]:
        numbers.append(TOTAL(row["total_bytes"], f"Total Log requiring undo of {row['database']}"))
    time_left = low = high = None
    if rate is not None:
        numbers.append(RATE(rate, source))
        if not row["is_over"]:
            error = SIGMAS * row["slope_error"]
            time_left, low = row["last_bytes"] / rate, row["last_bytes"] / (rate + error)
            high = row["last_bytes"] / (rate - error) if rate > error else None
            numbers += [TIME_LEFT(time_left, source), TIME_LEAST(low, source)]
            numbers += [TIME_MOST(high, source)] if high is not None else []
    variant = "over" if row["is_over"] else "left" if time_left is not None else "still"
    return Judged(
        said=f"reverting.{variant}",
        id="database.reverting",
        severity="notice" if row["is_over"] else "warning",
        subject={"database": row["database"], "replica": row["host_id"]},
        window=_window(row),
        confidence=0.9,
        evidence=tuple(numbers),
        facts={
            "database": row["database"], "host": row["host_id"], **_moments(row),
            "at_first": row["first_bytes"], "remaining": row["last_bytes"], "rate": rate,
            "time_left": time_left, "low": low, "high": high, "samples": row["samples"], "least": least,
        },
    )  # fmt: skip


def _looked(row: Row) -> Judged:
    return Judged(
        said="reverting.looked",
        id="database.reverting",
        severity="warning",
        subject={"ag": row["ag"] or "", "database": row["database"], "replica": row["replica"]},
        window=_window(row),
        confidence=0.9,
        evidence=(quoted("state", "REVERTING", f"{row['path']} line {row['line']}"),),
        facts={
            "database": row["database"], "host": row["replica"], "looks": row["looks"],
            **_moments(row),
        },
    )  # fmt: skip


def not_recovered(rows: Iterable[Row]) -> list[Judged]:
    """Judge each database that did not recover, or whose redo failed.

    Parameters
    ----------
    rows
        Of not_recovered.sql.
    """
    return [_not_recovered(row) for row in rows]


def _not_recovered(row: Row) -> Judged:
    place = f"{row['path']} line {row['line']}"
    numbers = [ENTRIES(row["entries"], place)]
    if row["cause"]:
        cause_place = f"{row['path']} line {row['cause_line']}"
        numbers.append(quoted(f"logged just before (error {row['cause_error']})", row["cause"], cause_place))
    if row["back"] is not None:
        numbers.append(quoted("back", words.instant(row["back"]), "timeline of its host"))
    return Judged(
        said=f"not_recovered.{row['kind']}",
        id="database.not_recovered",
        severity="warning" if row["back"] is not None else "critical",
        subject={"ag": row["ag"] or "", "database": row["database"] or "", "host": row["host_id"]},
        window=_window(row),
        confidence=SURE,
        evidence=tuple(numbers),
        facts={
            "database": row["database"], "host": row["host_id"], "entries": row["entries"],
            **_moments(row), "cause": row["cause"],
            "error": row["cause_error"] and str(row["cause_error"]), "back": row["back"],
        },
    )  # fmt: skip


def _window(row: Row) -> dict[str, Any]:
    if row["start"] is None:
        return window(row["start_local"], row["end_local"], is_local=True)
    return window(row["start"], row["end"])


def _moments(row: Row) -> dict[str, Any]:
    """Give the first and last moment: in UTC, or as its host wrote them where the offset is not known."""
    return {"first": row["start"] or row["start_local"], "last": row["end"] or row["end_local"]}
