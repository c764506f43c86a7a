"""Operations on one database on all hosts, indexed by time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from agtrace.history.timed import Instants

Row = dict[str, Any]
Joins = list[tuple[str, str, datetime, str]]
"""(host, database in lower case, time, source)."""


class History:
    """Backups, restores and joins of one database, whatever the case of its name."""

    def __init__(self) -> None:
        self._series: dict[tuple[str, str, str], Instants[Row]] = {}
        self._joins: dict[str, Instants[datetime]] = {}
        self.backups: Instants[Row] = Instants()
        """Full backups of all hosts, by end."""

    def series(self, operation: str, kind: str, host: str) -> Instants[Row]:
        """Return the operations of one kind ("full", "log") on one host, by their ends."""
        return self._series.setdefault((operation, kind, host), Instants())

    def joins(self, host: str, begin: datetime) -> Iterator[datetime]:
        """Return the signs of joins on a host from an instant on, in order."""
        return self._joins[host].since(begin) if host in self._joins else iter(())


def histories(rows: Iterable[Row], joins: Joins) -> dict[str, History]:
    """Sort operations and joins by database, its name in lower case."""
    found: dict[str, History] = {}
    for row in rows:
        history = found.setdefault(row["database"].lower(), History())
        # An operation shown only by a trace has no kind: assume full, unless it was a log backup.
        kind = row["kind"] or "full"
        history.series(row["operation"], kind, row["host_id"]).add(row["end"], row)
        if (row["operation"], kind) == ("backup", "full"):
            history.backups.add(row["end"], row)
    for host, name, time, _what in sorted(joins, key=lambda join: join[2]):
        found.setdefault(name, History())._joins.setdefault(host, Instants()).add(time, time)
    return found
