"""The details of a failover's cause: slow files, processes that used the processors, standstills."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

from agtrace.diagnostics.health.group_history import OPEN, GroupHistory, amount
from agtrace.diagnostics.health.rows import Failovers, Standstills, Timeline

BEFORE = timedelta(minutes=5)
"""How long before the loss of a primary a shortage counts (`agtrace.history.failovers.causes`)."""
WOKEN = timedelta(seconds=1)
"""A standstill that starts and ends this close to the given times is that of the failover."""
ALIKE_S = 1.0
"""Bounds of a standstill closer together than this are shown as one length."""
STEPPED = "clock stepped"


def named(failover: Failovers, history: GroupHistory) -> dict[str, Any]:
    """Return the values for said/causes.toml of a failover: its root, its time, and the details."""
    at, back = history.span(failover)
    return things(failover, history) | {"root": root(failover), "at": at, "back": back}


def root(failover: Failovers) -> str:
    """Return the cause; of a statement whether roles were switched by it, or its mode is open."""
    if failover.cause == "ddl_forced" and failover.mode == "planned":
        return "switched"
    if failover.cause == "ddl_failover" and failover.mode == OPEN:
        return "either"
    return str(failover.cause)


def things(failover: Failovers, history: GroupHistory) -> dict[str, Any]:
    """Return the details of a cause by name; None or empty if not captured."""
    start, end = history.span(failover)
    host = failover.from_host or ""
    slow, busy = slow_files(history, host, start), busy_samples(history, host, start)
    still = standstill(history, host, start, end)
    machine = [row.value for row in busy if row.value is not None]
    known = [
        (row.value, row.sql_percent) for row in busy if row.value is not None and row.sql_percent is not None
    ]
    return {
        "primary": host,
        "no_signal": any(one.kind == "lease_no_cluster_signal" for one in failover.reasons),
        "files": names(slow),
        "longest": max(map(amount, slow), default=0.0) / 1000 or None,
        "machine_percent": fmean(machine) if machine else None,
        "sql_percent": fmean(sql for _value, sql in known) if known else None,
        "other_percent": fmean(value - sql for value, sql in known) if known else None,
        "low": still.seconds_low if still else None,
        "high": _apart(still) if still else None,
        "still": still.kind if still else "",
    }


def slow_files(history: GroupHistory, host: str, start: datetime) -> list[Timeline]:
    """Return the entries of a host before a moment that name a file as slow (message 833), by time."""
    near = history.kinds_of_host.between(start - BEFORE, start, "long_io", host)
    return [row for row in near if row.thing]


def names(rows: Sequence[Timeline]) -> list[str]:
    """Return the files named in entries, without duplicates, the one with the longest wait first."""
    longest = sorted(rows, key=lambda row: -amount(row))
    return list(dict.fromkeys(row.thing for row in longest if row.thing))


def busy_samples(history: GroupHistory, host: str, start: datetime) -> list[Timeline]:
    """Return the samples of a host before a moment that show its processors busy, by time."""
    near = history.kinds_of_host.between(start - BEFORE, start, "processors_busy", host)
    return [row for row in near if row.value is not None]


def standstill(history: GroupHistory, host: str, start: datetime, end: datetime) -> Standstills | None:
    """Return the standstill of a host that touches a span."""
    for row in history.standstills:
        is_near = row.start <= end + WOKEN and row.end >= start - WOKEN
        if is_near and row.host_id == host and row.kind != STEPPED:
            return row
    return None


def _apart(still: Standstills) -> float | None:
    """Return the upper bound of a standstill where it differs from the lower one."""
    high = still.seconds_high
    return high if high - still.seconds_low >= ALIKE_S else None
