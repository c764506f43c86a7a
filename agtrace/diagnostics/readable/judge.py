"""readable.version_store: row versions that a secondary cannot clean up, and when they fill tempdb.

Sources: "Offload read-only workload to secondary replica of an Always On availability group", "SQL Server,
Transactions object", "Transaction locking and row versioning guide", "sys.dm_hadr_database_replica_states
(Transact-SQL)" and "sys.dm_os_wait_stats (Transact-SQL)" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from agtrace.diagnostics.readable import measures as m
from agtrace.diagnostics.readable.growth import GROWING, MEGABYTE, Growth, judged
from agtrace.diagnostics.readable.rows import (
    Behind,
    Full,
    Ghosts,
    Growths,
    Marks,
    Readers,
    Versioning,
    Waited,
)
from agtrace.measures import Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

Stretch: TypeAlias = Growths | Full
FULL, READABLE, SECONDARY, BOTH_ROLES = 0.9, 0.85, 0.7, 0.5
"""Confidence if messages report it full; if it is known to be read; if only its role is known; if it is also
a primary, whose own writers create row versions, or its role is unknown."""
WAITS = 0.9
APART_S = 900
"""Entries and a growth at most this far apart belong together."""
SHOWN_MARKS = 3
ID = "readable.version_store"
MESSAGES = ("3959", "3967", "3958 or 3966", "1105 of tempdb")
"""The messages counted by full.sql: of not_added, victims, ended and no_space."""


@dataclass(frozen=True)
class Beside:
    """Related rows on the readers of a server, from the queries of this folder with these names."""

    readers: Sequence[Readers] = ()
    marks: Sequence[Marks] = ()
    behind: Sequence[Behind] = ()
    ghosts: Callable[[str, datetime, datetime | None], Sequence[Ghosts]] = lambda *_: ()

    def oldest(self, row: Stretch) -> Readers | None:
        """Return the longest open transaction in the snapshots of a period."""
        own = [
            reader
            for reader in self.readers
            if reader.host_id == row.host_id
            and reader.sql_instance in (None, row.sql_instance)
            and (
                reader.begun is None
                or (reader.begun <= row.end_local and (reader.last_local or reader.begun) >= row.start_local)
            )
        ]
        return min(own, key=lambda reader: (not reader.is_snapshot, _begun(reader, row)), default=None)

    def is_held(self, row: Stretch) -> bool:
        """Return whether a transaction was open before a stretch began."""
        oldest = self.oldest(row)
        return oldest is not None and _begun(oldest, row) <= row.start_local

    def still(self, row: Stretch) -> list[Marks]:
        """Return the databases whose low-water mark for ghosts did not move for part of a period."""
        return [
            mark
            for mark in self.marks
            if mark.is_still
            and mark.host == row.host_id.upper()
            and mark.first <= row.end_local
            and mark.last >= row.start_local
        ]

    def queue(self, row: Stretch) -> Behind | None:
        """Return the recovery queues of a server that grew in a period."""
        if row.start is None or row.end is None:
            return None
        start, end = row.start, row.end
        own = (queue for queue in self.behind if queue.host_id == row.host_id and queue.growth > 0)
        return next(
            (each for each in own if each.start and each.end and each.start < end and each.end > start), None
        )


def _begun(reader: Readers, row: Stretch) -> datetime:
    """Return when a transaction began; one without a time was read no later than a stretch ended."""
    return reader.begun or row.end_local - timedelta(seconds=reader.seconds or 0)


def stores(
    growths: Sequence[Growths], full: Sequence[Full], beside: Beside, limits: Thresholds
) -> list[Judged]:
    """Judge the version store of each server: only its worst state.

    Parameters
    ----------
    growths, full
        Rows of growths.sql and full.sql.
    """
    found = []
    servers = {(row.host_id, row.sql_instance) for row in growths}
    servers |= {(row.host_id, row.sql_instance) for row in full}
    for server in sorted(servers):
        own = [row for row in growths if (row.host_id, row.sql_instance) == server]
        grown = [
            growth for row in own if (growth := judged(row, limits, is_held=beside.is_held(row))) is not None
        ]
        grown.sort(key=lambda each: (each.kind != GROWING, -each.grew))
        told = [row for row in full if (row.host_id, row.sql_instance) == server]
        if told:
            worst = max(told, key=lambda row: (row.not_added + row.victims, row.end_local))
            growth = next((Growth(row, GROWING, None) for row in own if _are_together(row, worst)), None)
            found.append(_full(worst, growth, len(told) - 1, beside))
        elif grown:
            found.append(_grown(grown[0], len(grown) - 1, beside))
    return found


def _are_together(growth: Growths, full: Full) -> bool:
    apart = timedelta(seconds=APART_S)
    return bool(growth.start_local - apart <= full.end_local and growth.end_local + apart >= full.start_local)


def _grown(growth: Growth, others: int, beside: Beside) -> Judged:
    row = growth.row
    numbers, facts = _of_growth(growth)
    more, about = _of_readers(row, beside)
    return Judged(
        said=f"version_store.{growth.kind}",
        id=ID,
        severity=growth.severity,
        subject={"host": row.host_id},
        window=_window(row),
        confidence=_confidence(row),
        evidence=(*numbers, *more),
        facts={"host": row.host_id, "others": others, **facts, **about},
    )


def _confidence(row: Growths) -> float:
    if row.is_primary_too or not row.is_secondary:
        return BOTH_ROLES
    return READABLE if row.is_readable else SECONDARY


def _full(row: Full, growth: Growth | None, others: int, beside: Beside) -> Judged:
    place = row.place
    numbers: list[Measured] = [
        measure(n, place)
        for measure, n in ((m.NOT_ADDED, row.not_added), (m.VICTIMS, row.victims), (m.ENDED, row.ended))
        if n
    ]
    if row.no_space and row.space_place:
        numbers.append(m.NO_SPACE(row.no_space, row.space_place))
    if row.victim is not None and row.victim_s is not None:
        numbers.append(m.VICTIM.about(session=row.victim)(row.victim_s, place))
    counts = (row.not_added, row.victims, row.ended, row.no_space)
    grown, facts = _of_growth(growth) if growth is not None else ([], {"grew": None, "longest": None})
    more, about = _of_readers(growth.row if growth is not None else row, beside)
    return Judged(
        said="version_store.full",
        id=ID,
        severity="critical",
        subject={"host": row.host_id},
        window=_window(row),
        confidence=BOTH_ROLES if row.is_primary_too else FULL,
        evidence=(*numbers, *grown, *more),
        facts={
            **facts, **about, "host": row.host_id, "others": others,
            # Readers that lost their versions show that it is read.
            "is_readable": True, "is_secondary": True, "is_primary_too": row.is_primary_too,
            "first": row.start or row.start_local, "last": row.end or row.end_local,
            "counts": [(number, n) for number, n in zip(MESSAGES, counts, strict=True) if n],
            "not_added": row.not_added, "victims": row.victims,
            "victim": row.victim, "victim_s": row.victim_s,
        },
    )  # fmt: skip


def _of_growth(growth: Growth) -> tuple[list[Measured], dict[str, Any]]:
    row = growth.row
    of_perfmon = row.source == "perfmon"
    source = f"{row.source} of {row.host_id}"
    size = f"{source}, Version Store Size, n = {row.samples:,}" if of_perfmon else source
    numbers = [
        m.GROWTH(row.growth * 3600 / MEGABYTE, size),
        m.GREW(growth.grew, size),
        m.SIZE(row.last_bytes, size),
    ]
    for measure, value, counter in (
        (m.FREE, row.free_bytes, "Free Space in tempdb"),
        (m.FULL_IN, growth.full_in_s, "Free Space in tempdb, Version Store Size"),
        (m.LONGEST, row.longest_s or None, "Longest Transaction Running Time"),
        (m.GENERATED, row.generated, "Version Generation rate"),
        (m.CLEANED, row.cleaned, "Version Cleanup rate"),
    ):
        if value is not None:
            numbers.append(measure(value, f"{source}, {counter}" if of_perfmon else source))
    return numbers, {
        "growth": row.growth * 3600, "grew": growth.grew, "size": row.last_bytes,
        "free": row.free_bytes, "full_in": growth.full_in_s, "longest": row.longest_s or None,
        "first": row.start or row.start_local, "last": row.end or row.end_local,
        "lasted": (row.end_local - row.start_local).total_seconds(), "is_over": row.is_over,
        "is_readable": row.is_readable, "is_primary_too": row.is_primary_too,
        "is_secondary": row.is_secondary,
        "share": None if row.free_bytes is None
        else row.last_bytes / (row.last_bytes + row.free_bytes),
    }  # fmt: skip


def _of_readers(row: Stretch, beside: Beside) -> tuple[list[Measured], dict[str, Any]]:
    numbers: list[Measured] = []
    oldest = beside.oldest(row)
    if oldest is not None:
        session = oldest.session_id
        numbers.append(m.OLDEST.about(session=session)(oldest.seconds, oldest.place))
        whose = [each for each in (oldest.client, oldest.program, oldest.login) if each]
        numbers += [quoted(f"session {session}", ", ".join(whose), oldest.place)] if whose else []
        if oldest.statement:
            numbers.append(quoted(f"statement of session {session}", oldest.statement, oldest.place))
    skipped = [
        each
        for each in (beside.ghosts(row.host_id, row.start, row.end) if row.start else ())
        if each.n and each.skipped
    ]
    for each in skipped:
        source = f"perfmon of {each.host_id}, Skipped Ghosted Records/sec, n = {each.n:,}"
        numbers.append(m.SKIPPED(each.skipped, source))
        numbers += [m.SKIPPED_BEFORE(each.before, source)] if each.before is not None else []
    still = beside.still(row)
    for mark in still[:SHOWN_MARKS]:
        apart = (mark.last - mark.first).total_seconds()
        numbers.append(m.MARK.about(database=mark.database)(apart, words.count(mark.looks, "look")))
    queue = beside.queue(row)
    if queue is not None:
        numbers.append(m.BEHIND(queue.growth, f"perfmon of {row.host_id}, Recovery Queue"))
    return numbers, {
        "oldest": oldest and oldest._asdict(),
        "skipped": skipped[0]._asdict() if skipped else None,
        "marks": [mark.database for mark in still],
        "behind": queue.growth if queue is not None else None,
    }


def waits(rows: Sequence[Waited], limits: Thresholds) -> list[Judged]:
    """Judge each server whose readers waited for row versions.

    Parameters
    ----------
    rows
        Rows of waited.sql.
    """
    return [_waits(row) for row in rows if row.wait_ms / row.seconds >= limits.version_wait_ms]


def _waits(row: Waited) -> Judged:
    rate = row.wait_ms / row.seconds
    return Judged(
        said="version_store.waits",
        id=ID,
        severity="notice",
        subject={"host": row.host_id, "kind": "waits"},
        window=window(row.start, row.end),
        confidence=WAITS,
        evidence=(
            m.WAITED.about(wait=row.wait_type, n=row.n)(rate, row.place),
            m.WATCHED(row.seconds, row.place),
        ),
        facts={"host": row.host_id, "n": row.n, "mean": row.wait_ms / row.n, "rate": rate},
    )


def versioning(rows: Sequence[Versioning]) -> list[Judged]:
    """Judge requests waiting for row versions in a snapshot: readers that cannot read.

    Parameters
    ----------
    rows
        Rows of versioning.sql.
    """
    return [
        Judged(
            said="version_store.versioning",
            id=ID,
            severity="warning",
            subject=({"host": row.host_id} if row.host_id else {}) | {"kind": "versioning"},
            window=_window(row),
            confidence=WAITS,
            evidence=(
                m.WAITING(row.n, row.place),
                *([m.LONGEST_WAIT(row.longest_ms / 1000, row.place)] if row.longest_ms else ()),
            ),
            facts={
                "host": row.host_id or "the secondary",
                "n": row.n,
                "longest": (row.longest_ms or 0) / 1000,
                "databases": row.databases or [],
            },
        )
        for row in rows
    ]


def _window(row: Stretch | Versioning) -> dict[str, Any]:
    if row.start is not None and row.end is not None:
        return window(row.start, row.end)
    if row.start_local is not None and row.end_local is not None:
        return window(row.start_local, row.end_local, is_local=True)
    return {}
