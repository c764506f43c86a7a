"""The texts in which event logs come: which columns they have, and where they stand in a line.

SQL LogScout writes a list separated by commas whose quotes are not doubled, and a table of fixed
width, as SDP does; SDP, Export-Csv and the event viewer lists with a header of column names.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from xelib.entries import EventListDecoder

from agtrace.readers.event_log.levels import level_of

_NAMES = {
    "date": "date datum",
    "clock": "time uhrzeit zeit",
    "time": "timegenerated datetime dateandtime timecreated datumunduhrzeit",
    "level": "type/level entrytype level leveldisplayname type ebene typ",
    "computer": "computername machinename computer",
    "event_id": "eventcode eventid id instanceid ereignis-id ereigniskennung",
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
_VIEWER = ("level", "time", "source", "event_id", "category", "message")
_DATED = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4},? {1,2}\d{1,2}[:.]\d\d")


@dataclass(frozen=True)
class Dialect:
    """A text that event logs come in.

    Parameters
    ----------
    header_lines
        Lines in front of the first event.
    layout
        As `xelib.entries.EventListDecoder` has them: quoted, table or list.
    columns
        What stands in each column of a table or list, None for what is not read.
    widths
        Characters of each column of a table.
    log
        Log that the file names.
    """

    name: str
    header_lines: int
    layout: str
    columns: tuple[str | None, ...] = ()
    widths: tuple[int, ...] = ()
    separator: str = ","
    log: str | None = None

    def decoder(self) -> EventListDecoder:
        """Return the decoder of such a text."""
        return EventListDecoder(
            self.layout,
            columns=list(self.columns),
            widths=list(self.widths),
            separator=self.separator,
            header_lines=self.header_lines,
        )


def column_of(name: str) -> str | None:
    """Return which column of an event a name means; None for one that is not read."""
    return _COLUMNS.get(name.replace(" ", "").replace("_", "").lower())


def dialect_of(text: str) -> Dialect | None:
    """Recognise a dialect by the beginning of a text."""
    lines = text.lstrip("\ufeff").split("\n", 12)
    log = None
    for number, line in enumerate(lines[:10], start=1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        if _LOGSCOUT_CSV in line[:200]:
            return Dialect("LogScout list", number, "quoted")
        if fixed := _fixed_columns(line):
            is_ruled = number < len(lines) and _RULE.match(lines[number]) is not None
            columns, widths = zip(*fixed, strict=True)
            return Dialect("table", number + is_ruled, "table", columns, widths)
        if match := _TYPE.match(line):
            log = match["log"]
        elif found := _with_header(line, number, log) or _without_header(line, number):
            return found
        elif log is None and number > 3:
            break
    return None


def _fixed_columns(line: str) -> list[tuple[str, int]] | None:
    """Return the columns of a fixed-width table with their widths, except the message."""
    if len(line) > 2000 or not _TITLE.match(line, len(line) - len(line.lstrip())):
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


def _without_header(line: str, number: int) -> Dialect | None:
    """Recognise a row of the event viewer: level, time, source, number, category, message."""
    for separator in (",", ";", "\t"):
        cells = [cell.strip().strip('"') for cell in line.split(separator, 5)]
        if len(cells) < 5 or not level_of(cells[0]) or not _DATED.match(cells[1]):
            continue
        if cells[3].isascii() and cells[3].isdigit():
            return Dialect("list", number - 1, "list", _VIEWER, separator=separator)
    return None


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
            return Dialect("list", number, "list", names, separator=separator, log=log)
    return None
