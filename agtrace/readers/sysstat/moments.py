"""Dates and times of day as sysstat writes them, in the locale of the user who ran it."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

DATE = r"\d[\d/.\-年月]{5,10}日?"
_CLOCK = r"(?P<hour>\d{1,2})[:.時时](?P<minute>\d\d)[:.分](?P<second>\d\d)秒?(?: (?P<half>[AP]M))?"
TIMED = re.compile(rf"{_CLOCK}\s+(?P<rest>\S.*)")
STAMP = re.compile(rf"(?P<date>{DATE})[ T]{_CLOCK}(?:[+-]\d{{4}}|Z)?\s*")


def date_of(text: str) -> date | None:
    """Read ``03/01/2026``, ``03/01/26``, ``2026-03-01``, ``01.03.2026`` or ``2026年03月01日``.

    With slashes the month comes first, as in LC_TIME=en_US, unless it cannot be one.
    """
    parts = re.split("[/.年月-]", text.removesuffix("日"))
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    first, second, third = map(int, parts)
    if len(parts[0]) == 4:
        year, month, day = first, second, third
    elif "." in text or first > 12:
        year, month, day = third, second, first
    else:
        year, month, day = third, first, second
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


def moment(day: date | None, match: re.Match[str]) -> datetime | None:
    """Return the moment of a time of day; None if either part is unknown or impossible."""
    hour, minute, second = (int(match[name]) for name in ("hour", "minute", "second"))
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    if day is None or hour > 23 or minute > 59 or second > 59:
        return None
    return datetime(day.year, day.month, day.day, hour, minute, second)


def later(
    at: datetime | None, last: datetime | None, day: date | None
) -> tuple[datetime | None, date | None]:
    """Begin the next day where the time of day falls by more than half of one."""
    if at is None or last is None or day is None or last - at < timedelta(hours=12):
        return at or last, day
    try:
        return at + timedelta(days=1), day + timedelta(days=1)
    except OverflowError:
        return at, day
