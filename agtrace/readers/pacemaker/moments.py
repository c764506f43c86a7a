"""Times of Pacemaker's logs: most have no year, which is taken from other texts of the log.

``Mar 01 10:15:30.123`` has no year. Sources of the year are the output of agents (``2026/03/01 10:15:30``),
dates that the scheduler writes, and seconds since 1970 in the cluster's configuration, if of the same day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from agtrace.moments import iso
from agtrace.readers.text_lines import Line
from agtrace.readers.written_times import MONTHS

_DAY = r"[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?"
STAMP = rf"(?:{_DAY}|\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\S{{0,20}})"
_PARTS = re.compile(
    r"(?P<month>[A-Z][a-z]{2}) (?P<day>[ \d]\d)(?: (?P<year>\d{4}))? "
    r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<part>\d{1,6}))?"
)
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?")
_DATES = (
    re.compile(r"(?P<year>20\d\d)[-/](?P<month>\d\d)[-/](?P<day>\d\d)[T ]\d\d:"),
    re.compile(r"(?P<name>[A-Z][a-z]{2}) {1,2}(?P<day>\d{1,2}) \d\d:\d\d:\d\d (?P<year>20\d\d)"),
)
_EPOCH = re.compile(r"(?<![\d.])(?P<seconds>1\d{9}|2\d{9})(?![\d.])")
_NEAR = timedelta(hours=15)
"""Maximum difference of a local time from UTC: offsets are at most 14 hours."""
_TURN = 6
"""Months by which a log falls back where a year begins."""


class Years:
    """Returns the year of each entry, from an entry that shows it and from the turns of the year.

    Parameters
    ----------
    stamps
        Lines of the log that begin with their time.
    """

    def __init__(self, lines: Iterable[Line], stamp: re.Pattern[str]) -> None:
        self._first: int | None = None
        self._turns = 0
        self._month = 0
        for _number, line, _terminated in lines:
            found = stamp.match(line)
            if found is None:
                continue
            parts = _PARTS.match(found[0])
            if parts is None or parts["year"]:
                continue
            self._see(parts)
            if "20" in line or "=" in line or '"' in line:
                year = _year_of(parts, line[found.end() :])
                if year is not None:
                    self._first = year - self._turns
                    break
        self._turns = self._month = 0

    @property
    def is_known(self) -> bool:
        return self._first is not None

    def _see(self, parts: re.Match[str]) -> None:
        month = _month(parts)
        if month and self._month - month >= _TURN:
            self._turns += 1
        self._month = month or self._month

    def moment(self, stamp: str) -> datetime | None:
        """Return the local time of the next entry; None if its year is unknown."""
        if found := _ISO.match(stamp):
            return iso(found[0])
        parts = _PARTS.match(stamp)
        if parts is None:
            return None
        if parts["year"]:
            return _at(parts, int(parts["year"]))
        self._see(parts)
        return None if self._first is None else _at(parts, self._first + self._turns)


def _month(parts: re.Match[str]) -> int:
    return MONTHS.index(parts["month"]) + 1 if parts["month"] in MONTHS else 0


def _at(parts: re.Match[str], year: int) -> datetime | None:
    hour, minute, second = (int(parts[name]) for name in ("hour", "minute", "second"))
    micros = int((parts["part"] or "0").ljust(6, "0"))
    try:
        return datetime(year, _month(parts), int(parts["day"]), hour, minute, second, micros)
    except ValueError:
        return None


def _year_of(parts: re.Match[str], text: str) -> int | None:
    """Return the year that a line states for its own day."""
    for pattern in _DATES:
        for found in pattern.finditer(text):
            groups = found.groupdict()
            name = groups.get("name")
            month = MONTHS.index(name) + 1 if name in MONTHS else int(groups.get("month") or 0)
            if (month, int(found["day"])) == (_month(parts), int(parts["day"])):
                return int(found["year"])
    for found in _EPOCH.finditer(text):
        then = datetime.fromtimestamp(int(found["seconds"]), UTC).replace(tzinfo=None)
        at = _at(parts, then.year)
        if at is not None and abs(at - then) < _NEAR:
            return then.year
    return None
