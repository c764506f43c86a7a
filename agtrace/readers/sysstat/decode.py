"""Lines of mpstat, iostat and sar to readings: time, device and values by column.

``Linux 5.14.0 (host) 	03/01/2026 	_x86_64_	(4 CPU)`` opens a report; a line of column names stands above
each table, the name of its rows in front of them or, with ``--pretty``, behind. mpstat and sar begin each
line with the time of day, iostat -t writes date and time above its tables, iostat alone tells no time.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from agtrace.readers.sysstat.json_lines import holds_tables, is_json, json_readings
from agtrace.readers.sysstat.mapping import COLUMNS
from agtrace.readers.sysstat.moments import DATE, STAMP, TIMED, date_of, later, moment
from agtrace.readers.sysstat.numbers import is_number, number_of
from agtrace.readers.sysstat.reading import Misfit, Reading, Torn, Unread
from agtrace.readers.text_lines import MAX_LINE, Line

_BANNER = re.compile(rf"Linux \S+ \((?P<host>[\w.-]{{1,255}})\)\s+(?P<date>{DATE})(?=\s|$)")
_WHOLE_BANNER = re.compile(rf"{_BANNER.pattern}.*\(\d+ CPU\)")
_AVERAGE = re.compile(r"(?!Device|avg-cpu)[^\W\d]\w*\.? ?:(?=\s)")
"""``Average:``, ``Moyenne :``, ``Durchschn.:``, ``Summary:``: lines that repeat the values above."""
_KEYS = {"CPU": "cpu", "IFACE": "interface", "Device": "device", "Device:": "device", "DEV": "device"}
"""Header of the column with the row names, and the kind of row."""
MAX_HEADS = 500
"""Maximum number of distinct headers; sar has about sixty."""
_OF_ALL = "avg-cpu:"
_COMMENT = "COM"
_RESTART = ["LINUX", "RESTART"]
_UNTIMED_TABLE = re.compile(r"^(?:Device:? |avg-cpu: )| Device$", re.MULTILINE)
_TIMED_TABLE = re.compile(rf"^{TIMED.pattern}", re.MULTILINE)


@dataclass(frozen=True)
class _Table:
    """A table whose head was read."""

    kind: str
    columns: list[str]
    names: Literal["front", "behind", "none"] = "front"
    """Where the name of a row stands; the mean of all processors has none."""
    is_timed: bool = False

    def row(self, words: list[str]) -> tuple[str, dict[str, float]] | None:
        """Return the name and the values of a row; None if it does not fit."""
        count = len(self.columns)
        if self.names == "front":
            names, cells = words[:1], words[1:]
        elif self.names == "behind":
            names, cells = words[count:], words[:count]
        else:
            names, cells = ["all"], words
        if not names or len(cells) != count:
            return None
        values = {column: number_of(cell, column) for column, cell in zip(self.columns, cells, strict=True)}
        known = {column: value for column, value in values.items() if value is not None}
        return (" ".join(names), known) if len(known) == len(values) else None


@dataclass
class _Clock:
    """The moment of the last row below a head."""

    last: datetime | None
    day: date | None

    def at(self, timed: re.Match[str]) -> datetime | None:
        self.last, self.day = later(moment(self.day, timed), self.last, self.day)
        return self.last


@dataclass
class _Report:
    """Where in a text its lines are."""

    host: str | None = None
    day: date | None = None
    last: datetime | None = None
    is_stamped: bool = False
    """Whether iostat printed a time."""
    number: int = 0
    table: _Table | None = None
    seen: set[str] = field(default_factory=set)
    """Heads of the report's tables: iostat writes no other line where a new report begins."""
    clocks: dict[str, _Clock] = field(default_factory=dict)
    """Where the rows below each head are: sar writes a whole day of one table, then that of the next."""
    clock: _Clock = field(default_factory=lambda: _Clock(None, None))

    def begin(self, host: str | None, day: date | None) -> None:
        self.host, self.day, self.last, self.table, self.is_stamped = host, day, None, None, False
        self.seen, self.clocks = set(), {}

    def head(self, line: str) -> None:
        """Count a report where it begins: at a head that was there before."""
        if line in self.seen or not self.seen:
            self.number += 1
            self.seen = set()
        self.seen.add(line)
        if len(self.clocks) < MAX_HEADS:
            self.clock = self.clocks.setdefault(line, _Clock(None, self.day))

    def reading(self, row: tuple[str, dict[str, float]], line: int) -> Reading:
        """Return a row's values as a reading."""
        kind = self.table.kind if self.table else ""
        return Reading(kind, self.last, self.day, self.host, self.number, *row, line)


def recognise(text: str) -> bool:
    """Return whether a text has the start of a report and a table."""
    if _BANNER.search(text) is None:
        return is_json(text[:MAX_LINE]) and holds_tables(text)
    if "%idle" in text or "rxkB/s" in text or _UNTIMED_TABLE.search(text) is not None:
        return True
    return _WHOLE_BANNER.search(text) is not None and _TIMED_TABLE.search(text) is not None


def readings(lines: Iterable[Line]) -> Iterator[Reading | Torn | Misfit | Unread]:
    """Yield the readings of a text, in its order."""
    lines = iter(lines)
    if (first := next(lines, None)) is not None and is_json(first[1]):
        yield from json_readings(lines)
        return
    report, was_blank = _Report(), True
    for number, line, terminated in itertools.chain([first] if first else [], lines):
        if not line.strip():
            was_blank = True
            continue
        if not terminated:
            yield Torn()
            return
        if banner := _BANNER.match(line):
            report.begin(banner["host"], date_of(banner["date"]))
            was_blank = True
        elif stamp := STAMP.fullmatch(line):
            report.day = date_of(stamp["date"]) or report.day
            report.last, report.table, was_blank = moment(report.day, stamp), None, True
            report.is_stamped = True
        elif not _AVERAGE.match(line):
            yield from _table_line(report, number, line, was_blank)
            was_blank = False


def _table_line(
    report: _Report, number: int, line: str, after_blank: bool
) -> Iterator[Reading | Misfit | Unread]:
    timed = TIMED.fullmatch(line)
    words = (timed["rest"] if timed else line).split()
    if timed and words[0] == _COMMENT:
        return
    if table := _head(words, timed is not None):
        report.head(" ".join(words))
        is_of_use = not timed or COLUMNS[table.kind] & set(table.columns)
        report.table = table if is_of_use else None
    elif after_blank and not any(map(is_number, words)):
        report.table = None
        if timed and words[:2] != _RESTART:
            yield Unread(words[0], number)
    elif report.table is not None:
        if timed:
            report.last = report.clock.at(timed)
        row = report.table.row(words) if report.table.is_timed == (timed is not None) else None
        if row is None or (report.last is None and (timed or report.is_stamped)):
            yield Misfit(number)
        else:
            yield report.reading(row, number)


def _head(words: list[str], is_timed: bool) -> _Table | None:
    """Read a line of column names of a table that is known."""
    if len(words) < 2 or is_number(words[-1]):
        return None
    if words[0] == _OF_ALL:
        return _Table("cpu", words[1:], "none")
    if words[0] in _KEYS:
        return _Table(_KEYS[words[0]], words[1:], "front", is_timed)
    if words[-1] in _KEYS and not any(map(is_number, words)):
        return _Table(_KEYS[words[-1]], words[:-1], "behind", is_timed)
    return None
