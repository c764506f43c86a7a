"""transport.suspended, from rows of a server's own views: databases that were suspended at a snapshot.

Source: Microsoft documentation, "sys.dm_hadr_database_replica_states (Transact-SQL)", column suspend_reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from agtrace.diagnostics.transport.rows import Halted
from agtrace.measures import Measure, Measured, quoted
from agtrace.resolve.names import host_name
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged

ID = "transport.suspended"
SEEN = 0.9
"""Confidence: the server itself reports it; changes after the snapshot are unknown."""
REASONS = {
    "SUSPEND_FROM_USER": "user", "SUSPEND_FROM_PARTNER": "partner", "SUSPEND_FROM_REDO": "redo",
    "SUSPEND_FROM_APPLY": "apply", "SUSPEND_FROM_CAPTURE": "capture", "SUSPEND_FROM_RESTART": "restart",
    "SUSPEND_FROM_UNDO": "undo", "SUSPEND_FROM_REVALIDATION": "revalidation",
    "SUSPEND_FROM_XRF_UPDATE": "revalidation",
}  # fmt: skip
OTHER = "other"
SEND_QUEUE = Measure("send_queue_kb", "log send queue", "KB", "as the primary's view shows it")
REDO_QUEUE = Measure("redo_queue_kb", "redo queue", "KB", "as the primary's view shows it")
LAG = Measure("lag_s", "secondary_lag_seconds", "s", "as the primary's view shows it")
MOST = 10
"""Databases that are evidence each."""


def halted(rows: Iterable[Halted], covered: Iterable[str]) -> list[Judged]:
    """Judge each replica with suspended databases, by reason.

    Parameters
    ----------
    rows
        Of halted.sql.
    covered
        Replicas whose stream has a verdict of this id: they are left out.
    """
    told = {host_name(name) for name in covered}
    found = []
    for _, own in groupby(rows, key=lambda row: (row.ag, row.who, row.reason)):
        same = list(own)
        if host_name(same[0].who) not in told:
            found.append(_halted(same))
    return found


def _halted(rows: Sequence[Halted]) -> Judged:
    first = rows[0]
    replica = first.replica or (first.host_id if first.is_own else None)
    databases = [row.database for row in rows if row.database]
    subject = {
        "ag": first.ag,
        "replica": replica or first.replica_id,
        "database": databases[0] if len(rows) == len(databases) == 1 else None,
    }
    is_local = any(row.last is None for row in rows)
    ends = [
        (row.first_local, row.last_local) if is_local else (row.first or row.last, row.last) for row in rows
    ]
    starts, lasts = ([each for each in side if each is not None] for side in zip(*ends, strict=True))
    hardened = [row.hardened for row in rows if row.hardened is not None]
    figures = [each for row in rows for each in (row.lag_s, row.send_queue_kb, row.redo_queue_kb)]
    known = [value for value in figures if value is not None]
    return Judged(
        said=f"halted.{REASONS.get(first.reason or '', OTHER)}",
        id=ID,
        severity="warning",
        subject={name: value for name, value in subject.items() if value},
        window=window(min(starts), max(lasts), is_local=is_local) if starts and lasts else {},
        confidence=SEEN,
        evidence=tuple(measured for row in rows[:MOST] for measured in _evidence(row)),
        facts={
            "replica": replica,
            "replica_id": first.replica_id,
            "databases": databases,
            "count": len(rows),
            "host": first.host_id,
            "reason": first.reason,
            "is_primary": first.is_primary,
            "at": max(lasts) if lasts else None,
            "since": min(starts) if starts else None,
            "hardened": min(hardened) if hardened and not first.is_primary else None,
            "reads_zero": bool(known) and not any(known),
        },
    )


def _evidence(row: Halted) -> list[Measured]:
    name = row.database or f"database {row.database_id}"
    whose = row.replica or row.who
    found = [quoted(f"{name} on {whose}: suspended", row.reason or "no reason shown", row.place)]
    numbers = ((SEND_QUEUE, row.send_queue_kb), (REDO_QUEUE, row.redo_queue_kb), (LAG, row.lag_s))
    found += [measure(value, row.place, name) for measure, value in numbers if value is not None]
    if row.hardened is not None:
        label = f"{name} on {whose}: last_hardened_time"
        found.append(quoted(label, words.moment(row.hardened), row.place))
    return found
