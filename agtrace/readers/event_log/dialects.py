"""The texts in which event logs come: which columns they have, and where they stand in a line.

SQL LogScout writes a list separated by commas whose quotes are not doubled, and a table of fixed
width, as SDP does; SDP, Export-Csv and the event viewer lists with a header of column names.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agtrace.readers.errorlog.blocks import PADDING
from agtrace.readers.event_log.moments import PATTERN as DATE
from agtrace.readers.line_entries import Entries, windows

Spans = dict[str, tuple[np.ndarray, np.ndarray]]
"""Where the cells of each column begin and end, by column."""

_QUOTE, _BLANK = 34, 32

_NAMES = {
    "date": "date datum",
    "clock": "time uhrzeit zeit",
    "time": "timegenerated datetime dateandtime timecreated datumunduhrzeit",
    "level": "type/level entrytype level leveldisplayname type ebene typ",
    "computer": "computername machinename computer",
    "event_id": "eventcode eventid id ereignis-id ereigniskennung",
    "source": "source providername quelle",
    "category": "taskcategory category taskdisplayname aufgabenkategorie",
    "user": "username user userid benutzer",
    "message": "message description beschreibung meldung",
    "record": "index recordid eventrecordid recordnumber",
    "log": "logname log protokollname",
}
_COLUMNS = {word: column for column, words in _NAMES.items() for word in words.split()}

_LOGSCOUT_CSV = '"EntryType","TimeGenerated","Source","EventID","Category","Message"'
_TITLES = {
    "date time": "time", "date and time": "time", "date": "date", "time": "clock", "type/level": "level",
    "type": "level", "level": "level", "computer name": "computer", "computer": "computer",
    "eventid": "event_id", "event id": "event_id", "event code": "event_id", "source": "source",
    "task category": "category", "category": "category", "username": "user", "user name": "user",
    "user": "user", "message": "message", "description": "message",
}  # fmt: skip
"""Titles of tables of fixed width."""
_TITLE = re.compile(
    rf"(?<!\S)(?:{'|'.join(sorted(map(re.escape, _TITLES), key=len, reverse=True))})(?!\S)", re.I
)
_RULE = re.compile(r"[-=]{3,}[-= ]*")
LEAST_DATE = 8
"""Characters of the narrowest column of dates."""
_TYPE = re.compile(r'"?#TYPE [\w.]*EventLogEntry(?:#(?P<log>[^/,"\r\n]{1,100})/)?')
MAX_COLUMNS = 64


@dataclass(frozen=True)
class Dialect:
    """A text that event logs come in.

    Parameters
    ----------
    first_line
        Number of the first line behind the header, from 1.
    head
        What a line that begins an event looks like (RE2).
    cut
        Finds the cells of events; gives the rows, too, that have all of them.
    has_doubled_quotes
        Quotes within a quoted cell are written twice.
    log
        Log that the file names.
    """

    name: str
    first_line: int
    head: str
    cut: Callable[[Entries], tuple[Spans, np.ndarray]]
    has_doubled_quotes: bool = False
    log: str | None = None


def dialect_of(text: str) -> Dialect | None:
    """Recognise a dialect by the beginning of a text."""
    lines = text.lstrip("\ufeff").split("\n", 12)
    log = None
    for number, line in enumerate(lines[:10], start=1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        if _LOGSCOUT_CSV in line[:200]:
            head = rf'^"[^"]{{1,40}}"[,]"\s*{DATE}'
            return Dialect("LogScout list", number + 1, head, _cut_unescaped)
        if fixed := _fixed_columns(line):
            is_ruled = number < len(lines) and _RULE.match(lines[number]) is not None
            first = number + 1 + is_ruled
            return Dialect("table", first, rf"^\s*{DATE}[^0-9]", _Fixed(fixed))
        if match := _TYPE.match(line):
            log = match["log"]
        elif found := _with_header(line, number, log):
            return found
        elif log is None and number > 3:
            break
    return None


def _fixed_columns(line: str) -> list[tuple[str, int]] | None:
    """Give the columns of a table of fixed width with their widths, the message left out."""
    if len(line) > 2000:
        return None
    titles = list(_TITLE.finditer(line))
    if _TITLE.sub("", line).strip() or len(titles) < 5:
        return None
    columns = [_TITLES[title[0].lower()] for title in titles]
    has = set(columns)
    if len(has) < len(columns) or columns[0] not in ("time", "date") or columns[-1] != "message":
        return None
    if not {"level", "event_id", "source"} <= has or (columns[0] == "date" and "clock" not in has):
        return None
    starts = [0, *(title.start() for title in titles[1:])]
    widths = [end - begin for begin, end in itertools.pairwise(starts)]
    return list(zip(columns, widths, strict=False)) if widths[0] >= LEAST_DATE else None


def _with_header(line: str, number: int, log: str | None) -> Dialect | None:
    if len(line) > 2000:
        return None
    for separator in (",", ";", "\t"):
        if line.count(separator) < 3:
            continue
        cells = [cell.strip().strip('"') for cell in line.split(separator)]
        columns = [_COLUMNS.get(cell.replace(" ", "").lower()) for cell in cells]
        has = set(columns)
        dated = "time" in has or {"date", "clock"} <= has
        if dated and {"event_id", "source"} <= has and has & {"level", "message"}:
            if "message" not in has and len(cells) < MAX_COLUMNS:
                # The event viewer gives the message a column, and no name.
                columns.append("message")
            names = tuple(columns[:MAX_COLUMNS])
            head = _head_of(names, separator)
            return Dialect("list", number + 1, head, _Escaped(names, separator), True, log)
    return None


def _head_of(columns: Sequence[str | None], separator: str) -> str:
    """Give what the first cells of an event look like, as far as they have a form."""
    forms = {
        "event_id": "[0-9]{1,10}",
        "record": "[0-9]{1,20}",
        "date": DATE,
        "time": rf'\s*{DATE}[^"{separator}]*',
        "clock": rf'[^"{separator}]*[0-9][:.][0-9][^"{separator}]*',
        "level": rf'[^"{separator}]{{1,40}}',
        "computer": rf'[^"{separator} ]{{0,255}}',
        "source": rf'[^"{separator}]{{0,255}}',
    }
    found, strict = [], 0
    for column in columns:
        if column not in forms or strict >= 2:
            break
        strict += column in ("event_id", "record", "date", "time", "clock")
        found.append(f'"?{forms[column]}"?{separator}')
    if not strict:
        # The message or something unknown comes first: every line that is no blank one begins an event.
        return r"^\S"
    return "^" + "".join(found)


def _cut_unescaped(entries: Entries) -> tuple[Spans, np.ndarray]:
    """Cut at the first five ``","``; the message is the rest, whatever quotes it holds."""
    data = entries.data
    size = len(data) - 2
    quoted = data == _QUOTE
    marks = np.flatnonzero(quoted[:size] & (data[1 : size + 1] == 44) & quoted[2 : size + 2])
    first = np.searchsorted(marks, entries.starts)
    has = np.zeros(len(entries.starts), bool)
    if len(marks):
        fifth = np.minimum(first + 4, len(marks) - 1)
        has = (first + 4 < len(marks)) & (marks[fifth] < entries.ends)
    rows = np.flatnonzero(has)
    begin = entries.starts[rows] + 1
    found: Spans = {}
    for number, column in enumerate(("level", "time", "source", "event_id", "category")):
        end = marks[first[rows] + number]
        found[column] = begin, end
        begin = end + 3
    end = entries.ends[rows]
    found["message"] = begin, end - ((end > begin) & (data[end - 1] == _QUOTE))
    return found, rows


class _Fixed:
    """Cuts by width, in characters; a long computer name and a long category move what follows them.

    Parameters
    ----------
    columns
        What stands in front of the message, with its width.
    """

    def __init__(self, columns: Sequence[tuple[str, int]]) -> None:
        self._columns = tuple(columns)
        names = [column for column, _width in columns]
        before = self._columns[: names.index("source")]
        self._needed = sum(width for _column, width in before)

    def __call__(self, entries: Entries) -> tuple[Spans, np.ndarray]:
        data, at = entries.data, entries.starts
        rows = np.flatnonzero(entries.heads - at >= self._needed)
        at, limit = at[rows], entries.heads[rows]
        is_long = np.zeros(len(rows), bool)
        found: Spans = {}
        for column, width in self._columns:
            end = np.minimum(_moved(data, at, width), limit)
            if column == "computer":
                end = _end_of_computer(data, at, end)
            begin = at
            at = end
            if column == "category":
                is_long = (end < limit) & (end > begin) & (data[np.maximum(end - 1, 0)] != _BLANK)
                found[column] = begin, end
                continue
            if column == "user" and is_long.any():
                at = np.where(is_long, _past_blanks(data, at, limit), at)
            found[column] = begin, np.minimum(end, at)
        found["message"] = np.minimum(at, entries.ends[rows]), entries.ends[rows]
        return {name: _stripped(data, *span) for name, span in found.items()}, rows


def _moved(data: np.ndarray, at: np.ndarray, characters: int) -> np.ndarray:
    """Give the position so many characters further on; bytes that continue a character count not."""
    end = at + characters
    wide = np.flatnonzero((windows(data, at, characters) >= 0x80).any(axis=1))
    if not len(wide):
        return end
    begins = (windows(data, at[wide], PADDING) & 0xC0) != 0x80
    past = np.cumsum(begins, axis=1) > characters
    end[wide] = at[wide] + past.argmax(axis=1)
    for row in wide[~past.any(axis=1)]:
        text = data[at[row] : at[row] + 4 * characters].tobytes().decode(errors="ignore")
        end[row] = at[row] + len(text[:characters].encode())
    return end


def _end_of_computer(data: np.ndarray, at: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Find the end of names that fill their column, and beyond which the number follows at once."""
    end = end.copy()
    for row in np.flatnonzero(data[np.maximum(end - 1, 0)] != _BLANK):
        text = data[at[row] : at[row] + 300].tobytes().split(b" ", 1)[0]
        end[row] = at[row] + len(text.rstrip(b"0123456789"))
    return end


def _past_blanks(data: np.ndarray, at: np.ndarray, limit: np.ndarray) -> np.ndarray:
    shown = windows(data, at, 50) == _BLANK
    return np.minimum(at + np.where(shown.all(axis=1), 50, shown.argmin(axis=1)), limit)


def _stripped(
    data: np.ndarray, begin: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Take the blanks off the ends of cells; of a message no more than a few."""
    begin, end = begin.copy(), np.maximum(end, begin)
    for _turn in range(64):
        more = (end > begin) & (data[np.maximum(end - 1, 0)] == _BLANK)
        if not more.any():
            break
        end -= more
    return begin, end


class _Escaped:
    """Cuts lists whose quotes are doubled within a cell.

    Parameters
    ----------
    columns
        What the cells mean, None for those that are not read.
    """

    def __init__(self, columns: Sequence[str | None], separator: str) -> None:
        self._columns = columns
        self._separator = ord(separator)

    def __call__(self, entries: Entries) -> tuple[Spans, np.ndarray]:
        data, starts, ends = entries.data, entries.starts, entries.ends
        # A separator behind an odd number of quotes of its event is text.
        signs = np.flatnonzero((data == _QUOTE) | (data == self._separator))
        is_mark = data[signs] == self._separator
        places = np.flatnonzero(is_mark)
        marks = signs[places]
        # Signs in front of a mark that are no marks are quotes.
        quotes = places - np.arange(len(places))
        begins, stops = np.searchsorted(marks, starts), np.searchsorted(marks, ends)
        at_start = np.searchsorted(signs, starts) - begins
        count = stops - begins
        row = np.repeat(np.arange(len(starts)), count)
        within = np.arange(len(row)) + np.repeat(begins - (np.cumsum(count) - count), count)
        is_cut = (quotes[within] - at_start[row]) % 2 == 0
        marks, row = marks[within[is_cut]], row[is_cut]
        count = np.bincount(row, minlength=len(starts))
        first = np.cumsum(count) - count
        # A last cell may be missing with its separator; the event is whole as far as it is read.
        needed = max(n for n, column in enumerate(self._columns) if column)
        rows = np.flatnonzero(count >= min(needed, max(len(self._columns) - 2, 1)))
        found: Spans = {}
        for number, column in enumerate(self._columns):
            if column is None or column in found:
                continue
            begin = (
                starts[rows] if number == 0 else _nth(marks, first, count, rows, number - 1, ends)
            )
            end = _nth(marks, first, count, rows, number, ends)
            begin = np.minimum(begin + (number > 0), ends[rows])
            found[column] = _unquoted(data, begin, np.maximum(end, begin))
        return found, rows


def _nth(
    marks: np.ndarray,
    first: np.ndarray,
    count: np.ndarray,
    rows: np.ndarray,
    number: int,
    ends: np.ndarray,
) -> np.ndarray:
    """Give the n-th cut of each row, its end where there are fewer."""
    if not len(marks):
        return ends[rows]
    place = marks[np.minimum(first[rows] + number, len(marks) - 1)]
    return np.where(count[rows] > number, place, ends[rows])


def _unquoted(
    data: np.ndarray, begin: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    quoted = (end - begin >= 2) & (data[begin] == _QUOTE) & (data[np.maximum(end - 1, 0)] == _QUOTE)
    return begin + quoted, end - quoted
