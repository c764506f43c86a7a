"""Parts by time: which of many were there at a moment, without looking at all of them.

A seeding that fails at once is tried again for days: thousands of copies of one database.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta

from agtrace.history.seedings.parts import Part

LONG = 32
"""So many of the longest parts are always looked at: one that lasts for days would make all near."""


class Nearby:
    """Places of parts in a sequence by their times; ``untimed`` are those whose times are not known."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.untimed: list[int] = []
        timed: list[tuple[timedelta, datetime, int]] = []
        for place, part in enumerate(parts):
            if part.first is None or part.last is None:
                self.untimed.append(place)
            else:
                timed.append((part.last - part.first, part.first, place))
        timed.sort()
        self._long = [place for _length, _first, place in timed[-LONG:]]
        short = sorted((first, place) for _length, first, place in timed[:-LONG])
        self._short = [place for _first, place in short]
        self._firsts = [first for first, _place in short]
        self._longest = timed[-LONG - 1][0] if short else timedelta(0)

    def around(self, first: datetime | None, last: datetime | None, slack: timedelta) -> list[int]:
        """Return the places of what may share a moment with a span that is widened by ``slack``."""
        if first is None or last is None:
            return []
        begin = bisect_left(self._firsts, first - slack - self._longest)
        end = bisect_right(self._firsts, last + slack)
        return self._short[begin:end] + self._long
