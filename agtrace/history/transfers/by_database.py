"""What was done with one database on all hosts, to be looked up by time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

Row = dict[str, Any]
Joins = list[tuple[str, str, datetime, str]]
"""(host, database in lower case, instant, what says so)."""


class Series:
    """Operations of one kind by their ends."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._ends: list[datetime] = []

    def add(self, row: Row) -> None:
        """Add an operation, wherever it belongs."""
        if not self._ends or row["end"] >= self._ends[-1]:
            place = len(self._ends)
        else:
            place = bisect_right(self._ends, row["end"])
        self._rows.insert(place, row)
        self._ends.insert(place, row["end"])

    def within(self, begin: datetime, end: datetime) -> list[Row]:
        """Give those that ended from ``begin`` to ``end``, both included, in order."""
        return self._rows[bisect_left(self._ends, begin) : bisect_right(self._ends, end)]

    def next_end(self, after: datetime) -> datetime | None:
        """Give when the first one after an instant ended."""
        place = bisect_right(self._ends, after)
        return self._ends[place] if place < len(self._ends) else None


class History:
    """Backups, restores and joins of one database, whatever the case of its name."""

    def __init__(self) -> None:
        self._series: dict[tuple[str, str, str], Series] = {}
        self._joins: dict[str, list[datetime]] = {}
        self.backups = Series()
        """Full ones, of all hosts."""

    def series(self, operation: str, kind: str, host: str) -> Series:
        """Give the operations of one kind ("full", "log") on one host."""
        return self._series.setdefault((operation, kind, host), Series())

    def joins(self, host: str, begin: datetime) -> Iterator[datetime]:
        """Give the signs of joins on a host from an instant on, in order."""
        own = self._joins.get(host, [])
        for place in range(bisect_left(own, begin), len(own)):
            yield own[place]


def histories(rows: Iterable[Row], joins: Joins) -> dict[str, History]:
    """Sort operations and joins by database, its name in lower case."""
    found: dict[str, History] = {}
    for row in rows:
        history = found.setdefault(row["database"].lower(), History())
        # What only a trace shows says no kind: a full one, unless it was one of the log.
        kind = row["kind"] or "full"
        history.series(row["operation"], kind, row["host_id"]).add(row)
        if (row["operation"], kind) == ("backup", "full"):
            history.backups.add(row)
    for host, name, time, _what in sorted(joins, key=lambda join: join[2]):
        found.setdefault(name, History())._joins.setdefault(host, []).append(time)
    return found
