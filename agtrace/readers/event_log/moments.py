"""Times of event logs, in the date format of the culture in which they were exported.

``2/28/2026 10:10:44 PM``, ``28.02.2026 22:10:44``, ``2026/2/28 下午 10:10:44``: the order of day, month and
year is decided once for a file, by a date that has only one meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

import pyarrow as pa
from xelib.entries import Slab

from agtrace.readers.line_entries import numbers, words
from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

_DATE = re.compile(r"(\d{1,4})([./-]) ?(\d{1,2})[./-] ?(\d{2,4})")
_STAMP = re.compile(r"_(\d{4})(\d\d)(\d\d)T\d{10}_")
_EPOCH = date(1970, 1, 1).toordinal()
_DAY_US = 86_400_000_000

YEAR_FIRST, MONTH_FIRST, DAY_FIRST = "year", "month", "day"


@dataclass(frozen=True)
class Style:
    """Date format of a file.

    Parameters
    ----------
    order
        Order of the parts of a date.
    is_guessed
        No date in the file has only one meaning.
    lacks_half
        Hours go up to 12 without AM or PM, so the times are unknown.
    """

    order: str = DAY_FIRST
    is_guessed: bool = False
    lacks_half: bool = False


def times_of(slab: Slab, style: Style) -> pa.Array:
    """Return the times of events as timestamp[us], NULL where unreadable."""
    if style.lacks_half:
        return pa.nulls(slab.rows, LOCAL_TIME)
    day = words(slab, "day", lambda text: _day_us(text, style.order), pa.int64())
    return pc.add(day, numbers(slab, "clock")).cast(LOCAL_TIME)


@lru_cache(10_000)
def _day_us(text: str, order: str) -> int | None:
    parts = _parts(text)
    if parts is None:
        return None
    first, second, third, _separator = parts
    if first > 31:
        year, month, day = first, second, third
    elif order == MONTH_FIRST:
        month, day, year = first, second, third
    else:
        day, month, year = first, second, third
    try:
        return (date(year, month, day).toordinal() - _EPOCH) * _DAY_US
    except ValueError:
        return None


def _parts(text: str) -> tuple[int, int, int, str] | None:
    match = _DATE.match(text)
    if match is None:
        return None
    first, third = int(match[1]), int(match[4])
    if len(match[1]) < 3 and len(match[4]) == 2:
        third += 2000
    return first, int(match[3]), third, match[2]


class Evidence:
    """Looks at dates until one has only one meaning.

    Parameters
    ----------
    name
        Name of the file; LogScout's says when it was collected.
    """

    def __init__(self, name: str) -> None:
        stamp = _STAMP.search(name)
        self._collected = _date(*map(int, stamp.groups())) if stamp else None
        self.order: str | None = None
        self._separator = ""
        self._has_half = False
        self._highest_hour = -1
        self._lowest_hour = 99
        self._seen: dict[tuple[int, int, int], None] = {}

    def see(self, days: Iterable[str], has_half: bool, lowest: int | None, highest: int | None) -> bool:
        """Inspect more dates; return True when the format is decided.

        Parameters
        ----------
        has_half
            Whether times of day have AM or PM (in any language).
        lowest, highest
            Range of their hours, as written.
        """
        for text in days:
            parts = _parts(text)
            if parts is None or self.order is not None:
                continue
            first, second, third, self._separator = parts
            if first > 31:
                self.order = YEAR_FIRST
            elif first > 12 >= second:
                self.order = DAY_FIRST
            elif second > 12 >= first:
                self.order = MONTH_FIRST
            elif len(self._seen) < 10_000:
                self._seen[first, second, third] = None
        self._has_half |= has_half
        self._highest_hour = max(self._highest_hour, -1 if highest is None else highest)
        self._lowest_hour = min(self._lowest_hour, 99 if lowest is None else lowest)
        needs_hours = self.order == MONTH_FIRST and self._separator == "."
        return self.order is not None and (self._has_half or not needs_hours)

    def style(self) -> Style:
        """Return the style found."""
        order, is_guessed = self.order, False
        if order is None:
            order, is_guessed = self._guessed()
        # Month first with dots comes from a fixed pattern with twelve hours, whose designator is
        # empty in the cultures that write dots.
        lacks = order == MONTH_FIRST and self._separator == "." and not self._has_half
        twelve = self._highest_hour <= 12 and self._lowest_hour >= 1
        return Style(order, is_guessed, lacks and twelve)

    def _guessed(self) -> tuple[str, bool]:
        if all(first == second for first, second, _third in self._seen):
            return DAY_FIRST, False
        if self._collected is not None:
            late = {
                order: max(filter(None, (_as(each, order) for each in self._seen)))
                for order in (MONTH_FIRST, DAY_FIRST)
            }
            possible = [order for order, day in late.items() if day <= self._collected]
            if possible:
                nearest = max(possible, key=lambda order: late[order])
                return nearest, len(possible) == 2 and late[MONTH_FIRST] == late[DAY_FIRST]
        return (MONTH_FIRST if self._separator == "/" and self._has_half else DAY_FIRST), True


def _as(numbers: tuple[int, int, int], order: str) -> date | None:
    first, second, third = numbers
    return _date(third, first, second) if order == MONTH_FIRST else _date(third, second, first)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return datetime(year, month, day).date()
    except ValueError:
        return None
