"""Stretches of time, found by what they touch without a look at each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, Generic, TypeVar

One = TypeVar("One")


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
        """Give what begins no later than ``until`` and ends no earlier than ``since``."""
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
