"""In which zone the times of an export are that names none.

start_time and completion_time of sys.dm_hadr_automatic_seeding carry no zone, and queries often
turn them into local time (Transact-SQL reference of the view). They are taken as UTC, or as the
server's local time, only where something in UTC shows the same operation within a minute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from agtrace.history.seedings.parts import differ

NEAR = timedelta(seconds=60)
QUARTER_HOURS = frozenset(range(-12 * 60, 14 * 60 + 1, 15))
MOST_ROWS = 100
"""So many operations of an export settle its zone; more would only repeat them."""


@dataclass(frozen=True)
class Written:
    """An operation as exported; its times are without zone."""

    host: str | None
    role: str | None
    start: datetime
    end: datetime | None
    operation_ids: frozenset[str]
    database: str | None
    database_guid: str | None
    is_copied: bool


@dataclass(frozen=True)
class Known:
    """What another capture shows in UTC of an operation, or of a copy within one.

    Parameters
    ----------
    said
        What shows it, in words.
    is_copy
        It lies within the operation; else it is the operation itself.
    """

    said: str
    host: str | None
    role: str | None
    start: datetime | None
    end: datetime | None
    is_copy: bool
    operation_ids: frozenset[str] = frozenset()
    database: str | None = None
    database_guid: str | None = None


@dataclass(frozen=True)
class Settled:
    """An offset (local minus UTC, minutes) and what it rests on; None where nothing decides it."""

    minutes: int | None
    basis: str


def settle(rows: Sequence[Written], known: Sequence[Known], offsets: Mapping[str, Iterable[int]]) -> Settled:
    """Find the one offset with which the operations of an export meet what is known of them.

    Parameters
    ----------
    rows
        The operations of one export.
    known
        What other captures show, times in UTC.
    offsets
        Offsets of each host's local time; any quarter hour where a host has none.
    """
    hosts = {row.host for row in rows if row.host is not None}
    local = {minutes for host in hosts for minutes in offsets.get(host, ())}
    candidates = {0, *local} if local else QUARTER_HOURS
    by_id = [other for other in known if other.operation_ids]
    met = _meet(rows, by_id, candidates) or _meet(rows, known, candidates)
    most = max(map(len, met.values()), default=0)
    winners = [minutes for minutes, entries in met.items() if len(entries) == most]
    if len(winners) != 1:
        return Settled(0, "the server's local time is UTC") if local == {0} else Settled(None, "")
    minutes = winners[0]
    apart, _number, nearest = min(met[minutes], key=lambda entry: entry[:2])
    zone = "UTC" if minutes == 0 else f"local time (UTC{_clock(minutes)})"
    said = f"DMV times are {zone}: within {apart.total_seconds():.0f} s of {nearest.said}"
    return Settled(minutes, said)


def _meet(
    rows: Sequence[Written], known: Sequence[Known], candidates: Set[int]
) -> dict[int, list[tuple[timedelta, int, Known]]]:
    """Give what meets each operation nearest, by the offset with which it does."""
    met: dict[int, list[tuple[timedelta, int, Known]]] = defaultdict(list)
    for row in rows[-MOST_ROWS:]:
        best: dict[int, tuple[timedelta, int, Known]] = {}
        for number, other in enumerate(known):
            if not _is_about(row, other):
                continue
            for minutes in _quarters(row, other) & candidates:
                start, end = in_utc(row.start, minutes), in_utc(row.end, minutes)
                apart = _apart(start, end, other)
                if apart is not None:
                    entry = (apart, number, other)
                    best[minutes] = min(best.get(minutes, entry), entry, key=lambda e: e[:2])
        for minutes, entry in best.items():
            met[minutes].append(entry)
    return met


def in_utc(time: datetime | None, minutes: int) -> datetime | None:
    """Give a time without zone in UTC."""
    return None if time is None else (time - timedelta(minutes=minutes)).replace(tzinfo=UTC)


def _quarters(row: Written, other: Known) -> set[int]:
    """Give the offsets, to the quarter hour, with which an end of both falls together."""
    pairs = ((row.start, other.start), (row.end, other.end))
    return {
        round((mine.replace(tzinfo=UTC) - its) / timedelta(minutes=15)) * 15
        for mine, its in pairs
        if mine is not None and its is not None
    }


def _is_about(row: Written, other: Known) -> bool:
    if row.operation_ids & other.operation_ids:
        return True
    if differ(row.host, other.host) or differ(row.role, other.role):
        return False
    if row.operation_ids and other.operation_ids:
        return False
    if differ(row.database_guid, other.database_guid):
        return False
    if differ((row.database or "").lower(), (other.database or "").lower()):
        return False
    return row.is_copied or not other.is_copy


def _apart(start: datetime | None, end: datetime | None, other: Known) -> timedelta | None:
    """Give how far an operation is from what is known of it; None when it cannot be the same."""
    apart = [
        abs(mine - its)
        for mine, its in ((start, other.start), (end, other.end))
        if mine is not None and its is not None
    ]
    if not apart:
        return None
    if not other.is_copy:
        return max(apart) if max(apart) <= NEAR else None
    if start is None or (other.start is not None and other.start < start - NEAR):
        return None
    if end is not None and other.end is not None and other.end > end + NEAR:
        return None
    return min(apart) if min(apart) <= NEAR else None


def _clock(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
