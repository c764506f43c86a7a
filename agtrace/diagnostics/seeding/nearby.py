"""Parts by time: which of many were there at a moment, without looking at all of them.

A seeding that fails at once is tried again for days: thousands of copies of one database.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from agtrace.diagnostics.seeding.parts import Copy, Request

Part = TypeVar("Part", Request, Copy)


class Nearby(Generic[Part]):
    """Parts in order of time; ``untimed`` are those whose times are not known."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.untimed: list[Part] = []
        self._timed: list[tuple[datetime, int, Part]] = []
        self._longest = timedelta(0)
        for number, part in enumerate(parts):
            if part.first is None or part.last is None:
                self.untimed.append(part)
            else:
                self._timed.append((part.first, number, part))
                self._longest = max(self._longest, part.last - part.first)
        self._timed.sort(key=lambda entry: entry[:2])
        self._firsts: list[datetime] = [first for first, _number, _part in self._timed]

    def around(self, first: datetime | None, last: datetime | None, slack: timedelta) -> list[Part]:
        """Give the parts that may share a moment with a span that is widened by ``slack``."""
        if first is None or last is None:
            return []
        begin = bisect_left(self._firsts, first - slack - self._longest)
        end = bisect_right(self._firsts, last + slack)
        return [part for _first, _number, part in self._timed[begin:end]]
