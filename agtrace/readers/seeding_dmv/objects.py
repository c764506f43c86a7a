"""JSON: arrays of objects, one object per line, FOR JSON with and without a root.

A query with FOR JSON gives its text in rows of 2,033 characters under a column of a fixed name;
tools that show them break the text there. FOR JSON AUTO nests joined tables: an object has the
values of those around it. FOR JSON leaves out what is NULL.
Source: Microsoft documentation, "Format query results as JSON with FOR JSON".
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from agtrace.readers.seeding_dmv.columns import MAX_COLUMNS, topics_of
from agtrace.readers.seeding_dmv.lines import Lines, is_rule, is_trailer
from agtrace.readers.seeding_dmv.table import MAX_ROWS, Damage, Record, Table

COLUMN = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B"
CHUNK = 2033
MAX_FAULTS = 1000
MAX_OBJECTS = 200_000
"""Braces of a text that is decoded at once; hostile texts have more."""
WINDOW = 16 * 1024
"""Characters of one object, after the first damage."""
MAX_DEPTH = 6

_BLANK = re.compile(r"[\s,\[\]\ufeff]*")
_DECODER = json.JSONDecoder()
_MESSAGE = (
    "JSON damaged or cut here; results to text cut FOR JSON at 256 characters per line unless allowed more"
)

Flat = dict[str, Any]


def is_chunked(lines: Lines) -> bool:
    """Tell whether the line at the cursor heads the rows of FOR JSON."""
    return lines.line.strip().strip('"').lower() == COLUMN.lower()


def read_chunks(lines: Lines) -> Iterator[Table]:
    """Read the rows of FOR JSON, and leave the cursor behind them."""
    lines.advance()
    if lines.more and is_rule(lines.line):
        lines.advance()
    yield from read_text(*_unbroken(lines))


def read_all(lines: Lines) -> Iterator[Table]:
    """Read a text that is JSON from its beginning."""
    if len(lines.line) == CHUNK and lines.has(1):
        yield from read_text(*_unbroken(lines))
        return
    parts, starts, at = [], [], 0
    while lines.more:
        starts.append((at, lines.number))
        parts.append(lines.whole + "\n")
        at += len(parts[-1])
        lines.advance()
    yield from read_text("".join(parts), starts)


def _unbroken(lines: Lines) -> tuple[str, list[tuple[int, int]]]:
    parts: list[str] = []
    starts, at = [], 0
    is_quoted = lines.more and lines.line.startswith(('"[', '"{'))
    while lines.more and lines.line.strip() and not is_trailer(lines.line) and not is_chunked(lines):
        text = lines.line
        if is_quoted:
            text = text.strip().removeprefix('"').removesuffix('"').replace('""', '"')
        starts.append((at, lines.number))
        parts.append(text[:CHUNK])
        at += len(parts[-1])
        lines.advance()
    return "".join(parts).rstrip(), starts


def read_text(text: str, starts: list[tuple[int, int]]) -> Iterator[Table]:
    """Read the objects of a text; ``starts`` are places in it with their line numbers."""
    gathered = _Gathered()
    damages: list[Damage] = []
    places = [at for at, _number in starts]
    at, depth, whole = 0, 0, text.count("{") <= MAX_OBJECTS
    while len(damages) < MAX_FAULTS and gathered.rows < MAX_ROWS:
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
            damages.append(Damage("damaged_json", _MESSAGE, line))
            whole = False
            end = text.find("{", at + 1)
            if end < 0:
                break
        at = end
    else:
        depth = 0
    if depth > 0 and not damages and starts:
        damages.append(Damage("damaged_json", _MESSAGE, starts[-1][1]))
    for table in gathered.tables():
        table.damages += damages
        damages = []
        yield table


def _decode(text: str, at: int, *, whole: bool) -> tuple[Any, int]:
    try:
        if whole:
            return _DECODER.raw_decode(text, at)
        found, end = _DECODER.raw_decode(text[at : at + WINDOW])
    except (ValueError, RecursionError):
        return None, at
    return found, at + end


class _Gathered:
    """Groups objects that show the same DMV into tables."""

    def __init__(self) -> None:
        self.rows = 0
        self._groups: list[tuple[tuple[str, ...], list[tuple[int, Flat]]]] = []
        self._topics: dict[tuple[str, ...], tuple[str, ...]] = {}

    def take(self, found: Flat, line: int) -> None:
        """Add an object, or those inside of it."""
        for flat in self._flat(found, {}, MAX_DEPTH):
            if self.rows >= MAX_ROWS:
                return
            self.rows += 1
            names = tuple(flat)
            if names not in self._topics:
                self._topics[names] = topics_of(names)
            topics = self._topics[names]
            if not self._groups or (topics and self._groups[-1][0] not in ((), topics)):
                self._groups.append((topics, []))
            elif topics and not self._groups[-1][0]:
                self._groups[-1] = (topics, self._groups[-1][1])
            self._groups[-1][1].append((line, flat))

    def _flat(self, found: Flat, around: Flat, depth: int) -> Iterator[Flat]:
        own = {k: v for k, v in found.items() if not isinstance(v, list | dict)}
        merged = dict(list((around | own).items())[:MAX_COLUMNS])
        inner = _lists(found) if depth else []
        if not inner:
            yield merged
        for objects in inner:
            for each in objects:
                if isinstance(each, dict):
                    yield from self._flat(each, merged, depth - 1)

    def tables(self) -> Iterator[Table]:
        """Give a table per group, its header being all names of the group."""
        for _topics, rows in self._groups:
            names = list(dict.fromkeys(name for _line, flat in rows for name in flat))
            if not topics_of(names[:MAX_COLUMNS]):
                continue
            names = names[:MAX_COLUMNS]
            records = [Record(line, [_text(flat.get(n)) for n in names]) for line, flat in rows]
            yield Table(rows[0][0], names, records)


def _lists(found: Flat) -> list[list[Any]]:
    """Give the lists of objects inside of an object, each once: drivers repeat the first result."""
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
    return value if isinstance(value, str) else str(value)
