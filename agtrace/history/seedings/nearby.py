"""Parts by time: which of many were there at a moment, without looking at all of them.

A seeding that fails at once is tried again for days: thousands of copies of one database.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from agtrace.history.seedings.parts import Copy, Request

Part = TypeVar("Part", Request, Copy)


LONG = 32
"""So many of the longest parts are always looked at: one that lasts for days would make all near."""


class Nearby(Generic[Part]):
    """Parts in order of time; ``untimed`` are those whose times are not known."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.untimed: list[Part] = []
        timed: list[tuple[timedelta, datetime, int, Part]] = []
        for number, part in enumerate(parts):
            if part.first is None or part.last is None:
                self.untimed.append(part)
            else:
                timed.append((part.last - part.first, part.first, number, part))
        timed.sort(key=lambda entry: entry[:3])
        self._long: list[Part] = [entry[3] for entry in timed[-LONG:]]
        short = sorted(timed[:-LONG], key=lambda entry: entry[1:3])
        self._short: list[Part] = [entry[3] for entry in short]
        self._firsts = [entry[1] for entry in short]
        self._longest = timed[-LONG - 1][0] if short else timedelta(0)

    def around(self, first: datetime | None, last: datetime | None, slack: timedelta) -> list[Part]:
        """Give the parts that may share a moment with a span that is widened by ``slack``."""
        if first is None or last is None:
            return []
        begin = bisect_left(self._firsts, first - slack - self._longest)
        end = bisect_right(self._firsts, last + slack)
        return self._short[begin:end] + self._long
