"""Families of events that share a finding, and the details that faults of databases and starts add to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.rows import Timeline


@dataclass(frozen=True)
class Family:
    """Kinds of events that share one finding.

    Parameters
    ----------
    id, name
        Of the finding, and of its words.
    severity
        Of the finding; "info" for one of `OF_GROUPS` on a host without a replica of a group.
    kinds
        Kinds of the timeline.
    by_database
        Whether each database has its own finding.
    words
        File of its words.
    """

    id: str
    name: str
    severity: str
    kinds: tuple[str, ...]
    by_database: bool = False
    words: str = "alone"


FAULTS = tuple(
    Family(f"health.{id_}", name, severity, kinds, by_database, "faults")
    for id_, name, severity, kinds, by_database in (
        ("start", "start_failed", "critical", ("start_failed",), False),
        ("start", "edition_expired", "critical", ("edition_expired",), False),
        ("start", "recovery_needs_dtc", "critical", ("recovery_needs_dtc",), True),
        ("start", "database_closed", "critical", ("database_closed",), True),
        ("join", "join_refused", "warning", ("join_refused",), True),
        ("join", "not_connected", "notice", ("primary_not_active",), False),
        ("dtc", "dtc_failed", "warning", ("dtc_failed",), False),
        ("file", "file_missing", "warning", ("file_not_made",), False),
        ("file", "volume_full", "warning", ("volume_full",), False),
        ("file", "filestream", "warning", ("filestream_failed",), False),
        ("certificate", "certificate_missing", "warning", ("certificate_missing",), False),
        ("file_limit", "file_limit", "notice", ("file_limit",), False),
        ("file", "file_full", "warning", ("file_full",), True),
        ("file", "tempdb_full", "warning", ("tempdb_full",), False),
        ("start", "not_listening", "critical", ("not_listening",), False),
        ("exception", "exception", "warning", ("exception",), False),
        ("network", "log_block_missing", "notice", ("log_block_missing",), True),
    )
)
FOLLOWS = {
    "file_not_made": ("start_failed", "database_closed"),
    **dict.fromkeys(
        ("redo_failed", "undo_failed"),
        ("certificate_missing", "file_not_made", "filestream_failed", "volume_full"),
    ),
}
"""Kinds of events that are a part of another fault of their host."""
SOON = timedelta(seconds=30)
"""A suspension this soon after a fault is its consequence."""
_QUOTE = "['\"„“”«»‘’]"
_STEP = re.compile(
    rf"{_QUOTE}(?P<script>[^'\"„“”«»‘’]{{1,120}}\.sql){_QUOTE}[^0-9]{{0,60}}(?P<error>\d{{2,6}})"
)
_PATH = re.compile(rf"{_QUOTE}(?P<path>(?:[A-Za-z]:|\\|/)[^'\"„“”«»‘’]{{1,260}}){_QUOTE}")


def details(family: Family, rows: Sequence[Timeline], history: GroupHistory) -> dict[str, Any]:
    """Return the values used in the texts of a fault, besides those of every event."""
    if family.words != "faults":
        return {}
    texts = [row.text or "" for row in rows]
    step = next(filter(None, map(_STEP.search, texts)), None)
    places = {(one.content_id, one.line) for row in rows for one in row.witnesses}
    own = [row for row in history.inner if (row.content_id, row.line) in places]
    inner = {row.error: row for row in sorted(own, key=lambda row: row.at)}
    suspended = [
        event.database
        for row in rows
        for event in history.kinds_of_host.between(
            row.time, row.time + SOON, "movement_suspended", row.host_id
        )
        if event.database
    ]
    return {
        "script": step["script"] if step else "",
        "inner_error": step["error"] if step else "",
        "inner": [{"error": str(row.error), "text": row.text} for row in inner.values()],
        "path": path_of(texts),
        "suspended": sorted(set(suspended)),
    }


def path_of(texts: Iterable[str]) -> str:
    """Return the first path quoted in texts; "" if there is none."""
    found = next(filter(None, map(_PATH.search, texts)), None)
    return found["path"] if found else ""
