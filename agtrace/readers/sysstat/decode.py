"""Lines of mpstat, iostat and sar to readings: time, device and values by column.

``Linux 5.14.0 (host) 	03/01/2026 	_x86_64_	(4 CPU)`` opens a report; a line of column names stands above
each table. mpstat and sar begin each line with the time of day, iostat -t writes date and time above
its table. Dates are those of LC_TIME=en_US, or ISO.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum

from agtrace.readers.text_lines import Line

_BANNER = re.compile(r"Linux \S+ \((?P<host>[\w.-]{1,255})\)\s+(?P<date>[\d/.-]{6,10})\b")
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)(?: (?P<half>[AP]M))?"
_TIMED = re.compile(rf"{_CLOCK}\s+(?P<rest>\S.*)")
_STAMP = re.compile(rf"(?P<date>\d[\d/-]{{5,9}})[ T]{_CLOCK}(?:[+-]\d{{4}})?\s*")
_KEYS = {"CPU": "cpu", "IFACE": "interface", "Device": "device", "Device:": "device"}
"""Name of the first column, and what it tells apart."""
_NUMBER = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?")
MAX_COLUMNS = 60


@dataclass(frozen=True)
class Reading:
    """One line of a table."""

    kind: str
    time: datetime
    host: str | None
    item: str
    values: dict[str, float]


class Damage(Enum):
    """What is wrong with a line that is no reading."""

    TORN = "the text ends within it"
    MISFIT = "it does not fit the columns above"


def recognise(text: str) -> bool:
    """Tell whether a text begins a report and holds one of the tables."""
    return _BANNER.search(text) is not None and (
        "%idle" in text or "rxkB/s" in text or re.search(r"^Device:? ", text, re.MULTILINE) is not None
    )


def readings(lines: Iterable[Line]) -> Iterator[Reading | Damage]:
    """Give the readings of a text, in its order."""
    host: str | None = None
    day: date | None = None
    last: datetime | None = None
    table: tuple[str, list[str]] | None = None
    for _number, line, terminated in lines:
        if not terminated:
            if line.strip():
                yield Damage.TORN
            return
        if not line.strip():
            continue
        if banner := _BANNER.match(line):
            host, day, last, table = banner["host"], _date(banner["date"]), None, None
        elif stamp := _STAMP.fullmatch(line):
            day = _date(stamp["date"]) or day
            last, table = _at(day, stamp), None
        elif line.startswith("Average:"):
            continue
        else:
            timed = _TIMED.fullmatch(line)
            words = (timed["rest"] if timed else line).split()
            if words[0] in _KEYS and not _NUMBER.fullmatch(words[-1]):
                table = (_KEYS[words[0]], words[1 : MAX_COLUMNS + 1])
                continue
            if table is None:
                continue
            if timed:
                last, day = _later(_at(day, timed), last, day)
            if last is None or len(words) != len(table[1]) + 1 or not all(map(_NUMBER.fullmatch, words[1:])):
                yield Damage.MISFIT
                continue
            values = dict(zip(table[1], map(float, words[1:]), strict=True))
            yield Reading(table[0], last, host, words[0], values)


def _date(text: str) -> date | None:
    """Read ``03/01/2026``, ``03/01/26`` or ``2026-03-01``."""
    parts = re.split("[/-]", text)
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    first, second, third = map(int, parts)
    year, month, day = (first, second, third) if "-" in text else (third, first, second)
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


def _at(day: date | None, match: re.Match[str]) -> datetime | None:
    hour, minute, second = (int(match[name]) for name in ("hour", "minute", "second"))
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    if day is None or hour > 23 or minute > 59 or second > 59:
        return None
    return datetime(day.year, day.month, day.day, hour, minute, second)


def _later(
    at: datetime | None, last: datetime | None, day: date | None
) -> tuple[datetime | None, date | None]:
    """Begin the next day where the time of day falls by more than half of one."""
    if at is None or last is None or day is None or last - at < timedelta(hours=12):
        return at or last, day
    try:
        return at + timedelta(days=1), day + timedelta(days=1)
    except OverflowError:
        return at, day
