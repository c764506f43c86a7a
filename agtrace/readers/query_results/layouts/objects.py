"""JSON: arrays of objects, one object per line, FOR JSON with and without a root.

A query with FOR JSON gives its text in rows of 2,033 characters under a column of a fixed name;
tools that show them break the text there. FOR JSON AUTO nests joined tables: an object has the
values of those around it. FOR JSON leaves out what is NULL. Azure Data Studio writes all values as text.
Source: Microsoft Learn, "Format query results as JSON with FOR JSON".
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from agtrace.readers.query_results.layouts.table import (
    Header,
    Notice,
    Records,
    Table,
    Wanted,
    is_trailer,
    of_rows,
)
from agtrace.tables.column_names import MAX_COLUMNS, plain

MAX_BYTES = 16 << 20
COLUMN = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B"
CHUNK = 2033
MAX_FAULTS = 1000
MAX_ROWS = 200_000
MAX_OBJECTS = 200_000
"""Braces of a text that is decoded at once; hostile texts have more."""
WINDOW = 16 * 1024
"""Characters of one object, after the first damage."""
MAX_DEPTH = 6

_CHUNKED = re.compile(rf"^[ \t\"]*{COLUMN}[ \t\"]*\r?\n(?:-+[ ]*\r?\n)?", re.MULTILINE | re.IGNORECASE)
_BLANK = re.compile(r"[\s,\[\]\ufeff]*")
_DECODER = json.JSONDecoder()
_MESSAGE = (
    "JSON damaged or cut here; results to text cut FOR JSON at 256 characters per line unless allowed more"
)

Flat = dict[str, Any]


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables of a text that is JSON, or that shows the rows of FOR JSON."""
    if len(text) > MAX_BYTES:
        return
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    if text[start : start + 1] in ("[", "{"):
        first = text.find("\n", start)
        is_broken = first >= 0 and len(text[start:first].rstrip("\r")) == CHUNK
        whole = _unbroken(text, start) if is_broken else _lines(text)
        yield from _read(*whole, is_wanted)
        return
    if COLUMN[:4] not in text:
        return
    for match in _CHUNKED.finditer(text):
        yield from _read(*_unbroken(text, match.end()), is_wanted)


Text = tuple[str, list[tuple[int, int]]]
"""A text, and places in it with the numbers of their lines."""


def _lines(text: str) -> Text:
    starts, at = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        starts.append((at, number))
        at += len(line) + 1
    return text, starts


def _unbroken(text: str, begin: int) -> Text:
    parts: list[str] = []
    starts, at = [], 0
    is_quoted = text.startswith(('"[', '"{'), begin)
    first = text.count("\n", 0, begin) + 1
    for number, written in enumerate(text[begin:].split("\n"), first):
        line = written.rstrip("\r")
        if not line.strip() or is_trailer(line) or _CHUNKED.match(line + "\n"):
            break
        if is_quoted:
            line = line.strip().removeprefix('"').removesuffix('"').replace('""', '"')
        starts.append((at, number))
        parts.append(line[:CHUNK])
        at += len(parts[-1])
    return "".join(parts).rstrip(), starts


def _read(text: str, starts: list[tuple[int, int]], is_wanted: Wanted) -> Iterator[Table]:
    gathered = _Gathered()
    notices: list[Notice] = []
    places = [at for at, _number in starts]
    at, depth, whole = 0, 0, text.count("{") <= MAX_OBJECTS
    while len(notices) < MAX_FAULTS and gathered.rows < MAX_ROWS:
        blank = _BLANK.match(text, at)
        if blank:
            depth += blank[0].count("[") - blank[0].count("]")
            at = blank.end()
        if at >= len(text):
            break
        line = starts[max(bisect_right(places, at) - 1, 0)][1] if starts else 1
        found, end = _decode(text, at, whole=whole)
        if isinstance(found, dict):
            gathered.take(found, line)
        else:
            notices.append(Notice("damaged_json", _MESSAGE, line))
            whole = False
            end = text.find("{", at + 1)
            if end < 0:
                break
        at = end
    else:
        depth = 0
    if depth > 0 and not notices and starts:
        notices.append(Notice("damaged_json", _MESSAGE, starts[-1][1]))
    for header, records in gathered.tables(is_wanted):
        records.notices.extend(notices)
        notices = []
        yield header, records


def _decode(text: str, at: int, *, whole: bool) -> tuple[Any, int]:
    try:
        if whole:
            return _DECODER.raw_decode(text, at)
        found, end = _DECODER.raw_decode(text[at : at + WINDOW])
    except (ValueError, RecursionError):
        return None, at
    return found, at + end


class _Gathered:
    """Groups objects into tables: those whose names overlap follow each other in one."""

    def __init__(self) -> None:
        self.rows = 0
        self._groups: list[tuple[set[str], list[tuple[int, Flat]]]] = []

    def take(self, found: Flat, line: int) -> None:
        """Add an object, or those inside of it."""
        for flat in self._flat(found, {}, MAX_DEPTH):
            if self.rows >= MAX_ROWS:
                return
            self.rows += 1
            names = flat.keys()
            if not self._groups or 2 * len(self._groups[-1][0] & names) < len(names):
                self._groups.append((set(), []))
            self._groups[-1][0].update(names)
            self._groups[-1][1].append((line, flat))

    def _flat(self, found: Flat, around: Flat, depth: int) -> Iterator[Flat]:
        own = {k: v for k, v in found.items() if not isinstance(v, list | dict)}
        merged = dict(list((around | own).items())[:MAX_COLUMNS])
        inner = _lists(found) if depth else []
        if not inner and merged:
            yield merged
        for objects in inner:
            for each in objects:
                if isinstance(each, dict):
                    yield from self._flat(each, merged, depth - 1)

    def tables(self, is_wanted: Wanted) -> Iterator[Table]:
        """Return a table for each group, its header being all names of the group."""
        for _names, rows in self._groups:
            names = list(dict.fromkeys(name for _line, flat in rows for name in flat))[:MAX_COLUMNS]
            if len(names) < 2 or not is_wanted([plain(name) for name in names]):
                continue
            lines = np.array([line for line, _flat in rows], np.int64)
            columns = of_rows([[_text(flat.get(name)) for name in names] for _line, flat in rows], len(names))
            yield Header(names, rows[0][0]), Records(columns, lines, last_line=int(lines[-1]))


def _lists(found: Flat) -> list[list[Any]]:
    """Return the lists of objects inside of an object, each once: drivers repeat the first result."""
    lists: list[list[Any]] = []
    for value in found.values():
        if isinstance(value, list) and value:
            for each in value if isinstance(value[0], list) else [value]:
                holds_objects = isinstance(each, list) and each and isinstance(each[0], dict)
                if holds_objects and each not in lists:
                    lists.append(each)
    return lists


def _text(value: object) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else str(value)
    return text.encode("utf-8", "replace").decode()
