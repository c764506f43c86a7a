"""Sessions that hold the lock that redo waits for, from captured outputs of the server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from agtrace.diagnostics.redo.rows import Behind, Blockers, Snapshots, Waited
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

LONGEST = Measure(
    "blocked_s", "redo waited for session {session}", "s", "the longest wait that a look showed"
)
OPEN = Measure("open_s", "its transaction open", "s", "the longest that a look showed")
LOOKS = Measure("looks", "looks that show it")
GROWTH = Measure("recovery_queue_growth", "growth of the recovery queues", "B/s", "of all databases together")
BEHIND = Measure("recovery_queue_last", "recovery queues at the end", "B", "of all databases together")
SEEN = 0.9
"""Confidence if a snapshot shows the session that redo waits for; other causes are not examined here."""
UNTIMED = 0.8
"""The same, if the time of the snapshot is unknown."""
SHOWN = 3


def held(rows: Iterable[Blockers], limits: Thresholds) -> dict[str, list[Blockers]]:
    """Return the sessions that blocked redo for a significant time, by server, longest first.

    Parameters
    ----------
    rows
        Of blockers.sql.
    """
    found = {host: list(own) for host, own in groupby(rows, key=attrgetter("host_id"))}
    long = {host: [row for row in own if _is_long(row, limits)] for host, own in found.items()}
    return {host: own for host, own in long.items() if own}


def _is_long(row: Blockers, limits: Thresholds) -> bool:
    return row.longest_s is not None and row.longest_s >= limits.redo_blocked_s


def evidence(rows: Sequence[Blockers]) -> list[Measured]:
    """Return the evidence on the sessions that blocked redo."""
    numbers: list[Measured] = []
    for row in rows[:SHOWN]:
        numbers.append(LONGEST.about(session=row.session_id)(row.longest_s, row.place))
        numbers.append(LOOKS(row.looks, row.place))
        if row.open_s is not None:
            numbers.append(OPEN(row.open_s, row.place))
        whose = [each for each in (row.client, row.program, row.login) if each]
        if whose:
            numbers.append(quoted(f"session {row.session_id}", ", ".join(whose), row.place))
        if row.statement:
            numbers.append(quoted(f"statement of session {row.session_id}", row.statement, row.place))
    return numbers


def facts(rows: Sequence[Blockers]) -> dict[str, Any]:
    """Return the facts on the sessions that blocked redo; ``who`` is None if unknown."""
    if not rows:
        return {"who": None}
    worst = rows[0]
    return {"who": {**worst._asdict(), "since": worst.start or worst.start_local}, "others": len(rows) - 1}


def window_of(row: Blockers | Snapshots | Waited) -> dict[str, str | bool]:
    """Return the window of a row: in UTC, or in its host's time if the offset is unknown."""
    if row.start is not None and row.end is not None:
        return window(row.start, row.end)
    if row.start_local is not None and row.end_local is not None:
        return window(row.start_local, row.end_local, is_local=True)
    return {}


def blocked(host: str, rows: Sequence[Blockers], queue: Behind | None) -> Judged:
    """Judge a server whose redo waited for sessions in a snapshot, regardless of wait statistics.

    Parameters
    ----------
    rows
        Its sessions, as returned by `held`.
    queue
        Of behind.sql, where its recovery queues grew meanwhile.
    """
    numbers = evidence(rows)
    if queue is not None:
        numbers.append(GROWTH(queue.growth, f"perfmon of {host}, Recovery Queue"))
        if queue.last_bytes is not None:
            numbers.append(BEHIND(queue.last_bytes, f"perfmon of {host}, Recovery Queue"))
    worst = rows[0]
    is_timed = worst.start_local is not None
    return Judged(
        said="waits.blocked",
        id="redo.waits",
        severity="warning" if queue is not None else "notice",
        subject={"host": host, "replica": host},
        window=window_of(worst),
        confidence=SEEN if is_timed else UNTIMED,
        evidence=tuple(numbers),
        facts={
            "host": host,
            "growth": queue.growth if queue is not None else None,
            "behind": queue.last_bytes if queue is not None else None,
            **facts(rows),
        },
    )
