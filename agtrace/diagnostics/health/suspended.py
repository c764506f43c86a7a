"""health.suspended: data movement of a database that was suspended (35264), and whether it was resumed."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta

from agtrace.diagnostics.health.families import path_of
from agtrace.diagnostics.health.group_history import NOT_KNOWN, GroupHistory
from agtrace.diagnostics.health.measures import COUNTED, ENTRIES
from agtrace.diagnostics.health.rows import Timeline
from agtrace.measures import quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

SHORT = timedelta(minutes=5)
"""An unrequested suspension resumed this soon belongs to a failover or a restart."""
BEFORE = timedelta(seconds=30)
"""An error of the host or database up to this long before a suspension is its cause."""
CAUSES = (
    "certificate_missing",
    "file_not_made",
    "filestream_failed",
    "volume_full",
    "io_error",
    "page_damaged",
    "redo_failed",
    "undo_failed",
    "log_write_failed",
    "log_not_available",
)
"""Causes that stop data movement; a failure of redo is a consequence of those before it."""
USER = "SUSPEND_FROM_USER"


def suspended(history: GroupHistory) -> list[Judged]:
    """Judge the last suspension of each database on each host."""
    last: dict[tuple[str, str], list[Timeline]] = defaultdict(list)
    for event in history.of("movement_suspended"):
        last[event.host_id or "", event.database or ""].append(event)
    found = (_judged(host, database, rows, history) for (host, database), rows in sorted(last.items()))
    return [one for one in found if one is not None]


def _judged(host: str, database: str, rows: list[Timeline], history: GroupHistory) -> Judged | None:
    last = rows[-1]
    resumed = next(
        (
            event
            for event in history.kinds_of_host.since(last.time, "movement_resumed", host or None)
            if (event.database or "") == database
        ),
        None,
    )
    by_user = last.after == USER
    if resumed is not None and not by_user and resumed.time - last.time <= SHORT:
        return None
    causes = [
        event
        for kind in CAUSES
        for event in history.kinds_of_host.between(last.time - BEFORE, last.time, kind, host or None)
        if event.database in (None, "", database)
    ][:2]
    return Judged(
        said="suspended",
        id="health.suspended",
        severity="warning" if resumed is None else "notice",
        subject={name: value for name, value in (("host", host), ("database", database)) if value},
        window=window(last.time, resumed.time if resumed else last.time),
        evidence=(
            ENTRIES(len(rows), history.sources(last)),
            quoted("its text", last.text, history.sources(last)),
            *map(history.entry, causes),
            *([history.entry(resumed)] if resumed else []),
        ),
        confidence=COUNTED,
        facts={
            "host": host or NOT_KNOWN,
            "database": database,
            "n": len(rows),
            "since": last.time,
            "until": resumed.time if resumed else None,
            "text": last.text,
            "by_user": by_user,
            "reason": last.after or "",
            "causes": [event.text for event in causes],
            "kind": causes[0].kind if causes else "",
            "path": path_of(event.text or "" for event in causes),
            "suspended": [database] if database else [],
        },
    )
