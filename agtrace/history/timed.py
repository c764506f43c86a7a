"""Rows in order of time, found by what they name and by when they were."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

Row = dict[str, Any]


class Timed:
    """Rows of a relation, looked up by the values of some columns.

    Parameters
    ----------
    rows
        In order of time.
    """

    def __init__(self, rows: Iterable[Row], *columns: str) -> None:
        self._rows: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
        for row in rows:
            self._rows[tuple(row[column] for column in columns)].append(row)

    def of(self, *values: Any) -> list[Row]:
        """Give the rows that have these values."""
        return self._rows.get(values, [])

    def between(self, start: datetime, end: datetime, *values: Any) -> list[Row]:
        """Give those of a span."""
        rows = self.of(*values)
        return rows[bisect_left(rows, start, key=_time) : bisect_right(rows, end, key=_time)]

    def since(self, start: datetime, *values: Any) -> Iterator[Row]:
        """Give those that are not before a moment."""
        rows = self.of(*values)
        for place in range(bisect_left(rows, start, key=_time), len(rows)):
            yield rows[place]


def _time(row: Row) -> datetime:
    time: datetime = row["time"]
    return time
