"""redo.waits: the waits of redo on a secondary, and their causes.

Sources: "sys.dm_os_wait_stats (Transact-SQL)" and "Troubleshoot REDO queue build-up (data latency issues) on
AG readable secondary replicas" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from agtrace.diagnostics.redo import blockers
from agtrace.diagnostics.redo.blockers import BEHIND, GROWTH
from agtrace.diagnostics.redo.rows import Behind, Blockers, Locks, Objects, Serial, Snapshots, Waited
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

WAITED = Measure("wait_ms_per_s", "{wait}, n = {n:,}", "ms/s", "of all tasks that waited, in a second")
WAITING = Measure(
    "wait_ms_per_s", "{wait}, one that lasts", "ms/s", "of a task that had begun to wait before"
)
WATCHED = Measure("watched_s", "wait statistics over", "s")
TASKS = Measure("tasks", "tasks of redo that waited for {wait} at a look", "", "the most at one look")
LONGEST = Measure("wait_ms", "longest of these waits", "ms")
LOCKS = Measure("locks", "lock_redo_blocked of {database}", "", "events of the session")
OBJECT = Measure("object_locks", "of its object {object_id}", "", "object_id, as OBJECT_NAME takes it")
IDLE = "idle"
SHOWN_OBJECTS = 3
WITH_LOCKS, WITH_QUEUE, ALONE = 0.9, 0.8, 0.6
"""Confidence if an event or a snapshot names the lock; if a growing queue shows the effect; with waits alone,
which can be those of other sessions."""


@dataclass(frozen=True)
class Beside:
    """Related rows on a server's redo, from the queries of this folder with these names."""

    behind: Sequence[Behind] = ()
    serial: Sequence[Serial] = ()
    locks: Sequence[Locks] = ()
    objects: Sequence[Objects] = ()
    blockers: Sequence[Blockers] = ()

    def queue(self, host: str, start: datetime | None, end: datetime | None) -> Behind | None:
        """Return the recovery queues of a server that grew in a span."""
        if start is None or end is None:
            return None
        own = (row for row in self.behind if row.host_id == host and row.growth > 0)
        return next(
            (row for row in own if row.start and row.end and row.start < end and row.end > start), None
        )

    def queue_of(self, session: Blockers) -> Behind | None:
        """Return the recovery queues that grew while a session blocked redo; ever, if its time is unknown."""
        if session.start_local is not None:
            return self.queue(session.host_id, session.start, session.end)
        return next((row for row in self.behind if row.host_id == session.host_id and row.growth > 0), None)


def waits(rows: Iterable[Waited], beside: Beside, limits: Thresholds) -> list[Judged]:
    """Judge each server whose redo waited longer than allowed, or waited for a session in a snapshot.

    Parameters
    ----------
    rows
        Rows of waited.sql.
    """
    seen = blockers.held(beside.blockers, limits)
    found, told = [], set()
    for host, own in groupby(rows, key=attrgetter("host_id")):
        judged = _waits(host, list(own), beside, seen.get(host, []), limits)
        if judged is not None:
            found.append(judged)
            told |= {host} if judged.said == "waits.readers" else set()
    for host, sessions in seen.items():
        if host not in told:
            found.append(blockers.blocked(host, sessions, beside.queue_of(sessions[0])))
    return found


def _waits(
    host: str, rows: list[Waited], beside: Beside, sessions: list[Blockers], limits: Thresholds
) -> Judged | None:
    seconds = rows[0].seconds
    rates = {row.wait_type: row.wait_ms / seconds for row in rows}
    held = [row for row in rows if row.cause != IDLE]
    if seconds < limits.redo_watched_s or not held:
        return None
    by_cause: dict[str, float] = {}
    for row in held:
        by_cause[row.cause] = by_cause.get(row.cause, 0.0) + rates[row.wait_type]
    cause = max(by_cause, key=by_cause.__getitem__)
    if by_cause[cause] < limits.redo_wait_ms:
        return None
    queue = beside.queue(host, rows[0].start, rows[0].end)
    flag = next((row for row in beside.serial if row.host_id == host and row.is_serial), None)
    of_readers = cause == "readers"
    locks = [row for row in beside.locks if row.host_id == host] if of_readers else []
    objects = [row for row in beside.objects if row.host_id == host] if of_readers else []
    sessions = sessions if of_readers else []
    numbers: list[Measured] = [
        (WAITED if row.n else WAITING).about(wait=row.wait_type, n=row.n)(rates[row.wait_type], row.place)
        for row in rows
        if row.wait_ms
    ]
    numbers.append(WATCHED(seconds, words.count(rows[0].intervals, "interval")))
    if queue is not None:
        numbers.append(GROWTH(queue.growth, f"perfmon of {host}, Recovery Queue"))
        if queue.last_bytes is not None:
            numbers.append(BEHIND(queue.last_bytes, f"perfmon of {host}, Recovery Queue"))
    for each in locks:
        numbers.append(LOCKS.about(database=each.database)(each.n, each.path))
        numbers += [
            OBJECT.about(object_id=one.object_id)(one.n, each.path)
            for one in objects
            if one.database == each.database
        ][:SHOWN_OBJECTS]
    numbers += blockers.evidence(sessions)
    if flag is not None:
        numbers.append(quoted("trace flag 3459", "on", flag.place))
    is_seen = bool(locks or sessions)
    return Judged(
        said=f"waits.{cause}",
        id="redo.waits",
        severity="warning" if queue is not None else "notice",
        subject={"host": host, "replica": host},
        window=blockers.window_of(rows[0]),
        confidence=WITH_LOCKS if is_seen else WITH_QUEUE if queue is not None else ALONE,
        evidence=tuple(numbers),
        facts={
            "host": host,
            "is_secondary": rows[0].is_secondary,
            "rate": by_cause[cause],
            "types": [row.wait_type for row in held if row.cause == cause],
            "seconds": seconds,
            "growth": queue.growth if queue is not None else None,
            "behind": queue.last_bytes if queue is not None else None,
            "databases": [each.database for each in locks],
            "since": min((each.first for each in locks if each.first is not None), default=None),
            "is_serial": flag is not None,
            **blockers.facts(sessions),
        },
    )


def beside_snapshots(found: Iterable[Judged], rows: Sequence[Snapshots]) -> list[Judged]:
    """Return the findings on waits with the snapshots of the same server that they are used in place of."""
    shown = {row.host_id: {"looks": row.looks, "tasks": row.tasks, "types": row.types} for row in rows}
    return [
        replace(each, facts={**each.facts, "weaker": shown.get(each.subject.get("host", ""))})
        for each in found
    ]


def of_snapshots(rows: Iterable[Snapshots], told: Collection[str]) -> list[Judged]:
    """Judge waits of redo tasks in single snapshots, for servers without other captures of redo.

    Parameters
    ----------
    rows
        Rows of snapshots.sql.
    told
        Servers whose waits are already reported.
    """
    return [_of_snapshot(row) for row in rows if row.host_id not in told]


def _of_snapshot(row: Snapshots) -> Judged:
    numbers = [TASKS.about(wait=", ".join(row.types))(row.tasks, row.place)]
    if row.wait_ms is not None:
        numbers.append(LONGEST(row.wait_ms, row.place))
    return Judged(
        said="waits.looked",
        id="redo.waits",
        severity="notice",
        subject={"host": row.host_id, "replica": row.host_id} if row.host_id else {},
        window=blockers.window_of(row),
        confidence=ALONE,
        evidence=tuple(numbers),
        facts={
            "host": row.host_id or "an unknown host",
            "cause": row.cause,
            "types": row.types,
            "tasks": row.tasks,
            "looks": row.looks,
            "at": row.end or row.end_local,
        },
    )
