"""Times of event logs, written as the culture of whoever collected them says.

``2/28/2026 10:10:44 PM``, ``28.02.2026 22:10:44``, ``2026/2/28 下午 10:10:44``: what the numbers of a
date mean is decided once for a file, by a date that has only one meaning.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.calendar import DAY_US
from agtrace.readers.line_entries import slices, windows

PATTERN = r"[0-9]{1,4}[./-] ?[0-9]{1,2}[./-] ?[0-9]{2,4}"
"""How a date begins, for RE2 and for Python."""

_PARTS = rf"^\s*(?P<day>{PATTERN})\.?,?(?P<clock>[^0-9].*)?$"
_DAY = re.compile(PATTERN)
_DAY_BYTES = 10
_DATE = re.compile(r"(\d{1,4})([./-]) ?(\d{1,2})[./-] ?(\d{2,4})")
_CLOCK = re.compile(
    r"(?P<before>\D*?)(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?"
    r"(?P<after>\D*)"
)
_STAMP = re.compile(r"_(\d{4})(\d\d)(\d\d)T\d{10}_")
_EPOCH = date(1970, 1, 1).toordinal()

_HALVES = (
    ("am a vorm 上午 午前 오전 de dop sa πμ ص fm", 0),
    ("pm p nachm 下午 午後 오후 du odp ch μμ م em", 12),
)
_HALF_OF = {word: hours for words, hours in _HALVES for word in words.split()}
"""Designators of the halves of a day, without dots and blanks, and the hours that they add."""

_CLOCKS_SEEN = 500
"""Times of day of each piece of a log that are looked at for the half of the day."""

YEAR_FIRST, MONTH_FIRST, DAY_FIRST = "year", "month", "day"


@dataclass(frozen=True)
class Style:
    """How a file writes its dates.

    Parameters
    ----------
    order
        What comes first in a date that ends with the year.
    is_guessed
        No date of the file has only one meaning.
    lacks_half
        Hours up to 12 without a word for the half of the day: the times are not known.
    """

    order: str = DAY_FIRST
    is_guessed: bool = False
    lacks_half: bool = False


def times_of(days: pa.Array, clocks: pa.Array, style: Style) -> pa.Array:
    """Give the times of days and times of day as timestamp[us], NULL where one is unreadable."""
    if style.lacks_half:
        return pa.nulls(len(days), pa.timestamp("us"))
    day = _mapped(days, lambda value: _day_us(value, style.order))
    of_day = _mapped(clocks, _clock_us)
    return pc.add(day, of_day).cast(pa.timestamp("us"))


def split(data: np.ndarray, begin: np.ndarray, end: np.ndarray) -> tuple[pa.Array, pa.Array]:
    """Part texts into day and time of day; both NULL where there is no date.

    Parameters
    ----------
    begin, end
        Where the texts stand in the bytes.
    """
    blanks = windows(data, begin, _DAY_BYTES + 1) == ord(" ")
    at = begin + blanks.argmax(axis=1)
    if (blanks.any(axis=1) & (at < end)).all():
        # The usual text has a day without blanks, one of a few, and a blank behind it.
        days = slices(data, begin, at)
        if all(_DAY.fullmatch(day) for day in pc.unique(days).to_pylist()):
            return days, slices(data, at, end)
    found = pc.extract_regex(slices(data, begin, end), _PARTS)
    return pc.struct_field(found, "day"), pc.struct_field(found, "clock")


def _mapped(values: pa.Array, convert: object) -> pa.Array:
    words = values.dictionary_encode()
    known = [None if word is None else convert(word) for word in words.dictionary.to_pylist()]  # type: ignore[operator]
    return pa.array(known, pa.int64()).take(words.indices)


@lru_cache(10_000)
def _day_us(text: str, order: str) -> int | None:
    numbers = _numbers(text)
    if numbers is None:
        return None
    first, second, third, _separator = numbers
    if first > 31:
        year, month, day = first, second, third
    elif order == MONTH_FIRST:
        month, day, year = first, second, third
    else:
        day, month, year = first, second, third
    try:
        return (date(year, month, day).toordinal() - _EPOCH) * DAY_US
    except ValueError:
        return None


def _numbers(text: str) -> tuple[int, int, int, str] | None:
    match = _DATE.match(text)
    if match is None:
        return None
    first, third = int(match[1]), int(match[4])
    if len(match[1]) < 3 and len(match[4]) == 2:
        third += 2000
    return first, int(match[3]), third, match[2]


@lru_cache(200_000)
def _clock_us(text: str) -> int | None:
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    half = _half(match)
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + half
    if hour > 23 or minute > 59 or second > 59:
        return None
    micros = int((match["part"] or "0").ljust(6, "0")[:6])
    return ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros


def _half(match: re.Match[str]) -> int | None:
    """Give the hours to add: 0 before noon, 12 after it, None where nothing is said."""
    before = _half_of(match["before"])
    return before if before is not None else _half_of(match["after"])


@lru_cache(1000)
def _half_of(text: str) -> int | None:
    return _HALF_OF.get(re.sub(r"[\s.,\u00a0\u200e\u200f\u202f]", "", text).lower())


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

    def see(self, days: Iterable[str | None], clocks: Iterable[str | None]) -> bool:
        """Look at some more; True when nothing more needs to be seen."""
        for text in days:
            numbers = _numbers(text) if text else None
            if numbers is None or self.order is not None:
                continue
            first, second, third, self._separator = numbers
            if first > 31:
                self.order = YEAR_FIRST
            elif first > 12 >= second:
                self.order = DAY_FIRST
            elif second > 12 >= first:
                self.order = MONTH_FIRST
            elif len(self._seen) < 10_000:
                self._seen[first, second, third] = None
        # A few hundred show what all do; a piece of a log has tens of thousands.
        for text in itertools.islice(clocks, _CLOCKS_SEEN):
            match = _CLOCK.fullmatch(text) if text else None
            if match is not None:
                self._has_half |= _half(match) is not None
                self._highest_hour = max(self._highest_hour, int(match["hour"]))
                self._lowest_hour = min(self._lowest_hour, int(match["hour"]))
        needs_hours = self.order == MONTH_FIRST and self._separator == "."
        return self.order is not None and (self._has_half or not needs_hours)

    def style(self) -> Style:
        """Give what was found out."""
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
