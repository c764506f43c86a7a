"""Index of events by time, shared by relations and questions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any, Generic, Protocol, TypeVar

One = TypeVar("One")


class AtTime(Protocol):
    """A record with a time."""

    @property
    def time(self) -> datetime:
        """When it happened."""


Record = TypeVar("Record", bound=AtTime)


class Instants(Generic[One]):
    """Items ordered by time; times are numbers or datetimes, all of one type.

    Parameters
    ----------
    found
        Pairs of time and item, in any order; items with equal times keep their order.
    """

    def __init__(self, found: Iterable[tuple[Any, One]] = ()) -> None:
        ordered = sorted(found, key=lambda each: each[0])
        self._times = [time for time, _one in ordered]
        self._ones = [one for _time, one in ordered]

    def add(self, time: Any, one: One) -> None:
        """Add one, behind those of its time."""
        place = bisect_right(self._times, time)
        self._times.insert(place, time)
        self._ones.insert(place, one)

    def between(self, since: Any, until: Any) -> list[One]:
        """Return what happened from ``since`` to ``until``, both included, in order."""
        begin, end = self._places(since, until)
        return self._ones[begin:end]

    def first(self, since: Any, until: Any) -> list[One]:
        """Return the first of these, or nothing."""
        begin, end = self._places(since, until)
        return self._ones[begin : min(begin + 1, end)]

    def last(self, since: Any, until: Any) -> list[One]:
        """Return the last of these, or nothing."""
        begin, end = self._places(since, until)
        return self._ones[max(begin, end - 1) : end]

    def since(self, moment: Any) -> Iterator[One]:
        """Return what did not happen before a moment, in order."""
        for place in range(bisect_left(self._times, moment), len(self._ones)):
            yield self._ones[place]

    def after(self, moment: Any) -> One | None:
        """Return the first that happened after a moment."""
        place = bisect_right(self._times, moment)
        return self._ones[place] if place < len(self._ones) else None

    def _places(self, since: Any, until: Any) -> tuple[int, int]:
        return bisect_left(self._times, since), bisect_right(self._times, until)


class Timed(Generic[Record]):
    """Records of a relation, looked up by the values of some fields and by their time.

    Parameters
    ----------
    rows
        In order of time.
    """

    def __init__(self, rows: Iterable[Record], *fields: str) -> None:
        self._rows: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
        self._instants: dict[tuple[Any, ...], Instants[Record]] = {}
        for row in rows:
            self._rows[tuple(getattr(row, field) for field in fields)].append(row)

    def of(self, *values: Any) -> list[Record]:
        """Return the rows that have these values."""
        return self._rows.get(values, [])

    def between(self, start: datetime, end: datetime, *values: Any) -> list[Record]:
        """Return those of a span."""
        return self._of(values).between(start, end)

    def since(self, start: datetime, *values: Any) -> Iterator[Record]:
        """Return those that are not before a moment."""
        return self._of(values).since(start)

    def _of(self, values: tuple[Any, ...]) -> Instants[Record]:
        if values not in self._instants:
            self._instants[values] = Instants((row.time, row) for row in self.of(*values))
        return self._instants[values]


class Stretches(Generic[One]):
    """Stretches with what each of them stands for, in the order in which they are given.

    Parameters
    ----------
    found
        Begin, end and what lasts so long; times of one kind, numbers or instants.
    """

    def __init__(self, found: Iterable[tuple[Any, Any, One]]) -> None:
        given = list(found)
        self._ones = [one for _begin, _end, one in given]
        self._order = sorted(range(len(given)), key=lambda place: given[place][0])
        self._begins = [given[place][0] for place in self._order]
        # By pairs, pairs of pairs and so on, the last end within: what ends too early is passed by as a
        # whole.
        self._ends = [[given[place][1] for place in self._order]]
        while len(self._ends[-1]) > 1:
            below = self._ends[-1]
            pairs = zip_longest(below[::2], below[1::2])
            self._ends.append([a if b is None else max(a, b) for a, b in pairs])

    def touching(self, since: Any, until: Any) -> list[One]:
        """Return what begins no later than ``until`` and ends no earlier than ``since``."""
        count = bisect_right(self._begins, until)
        places = sorted(self._order[place] for place in self._reaching(since, count))
        return [self._ones[place] for place in places]

    def _reaching(self, since: Any, count: int) -> Iterator[int]:
        waiting = [(len(self._ends) - 1, 0)] if count else []
        while waiting:
            level, place = waiting.pop()
            if place << level >= count or self._ends[level][place] < since:
                continue
            if level == 0:
                yield place
                continue
            waiting += [
                (level - 1, below)
                for below in (2 * place, 2 * place + 1)
                if below < len(self._ends[level - 1])
            ]


class Overlaps:
    """How many of some spans overlap a time.

    Parameters
    ----------
    spans
        Begin and end of each; times of one kind, numbers or instants.
    """

    def __init__(self, spans: Sequence[tuple[Any, Any]]) -> None:
        self._begins = sorted(begin for begin, _end in spans)
        self._ends = sorted(end for _begin, end in spans)

    def count(self, since: Any, until: Any) -> int:
        """Count those that began before ``until`` and ended after ``since``."""
        return bisect_left(self._begins, until) - bisect_right(self._ends, since)
