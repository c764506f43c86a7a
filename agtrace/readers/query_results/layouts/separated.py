"""Tables whose cells are separated by commas, tabs, semicolons or bars, read as Arrow columns.

Quotes, line ends and separators are found in the bytes as a whole; no record becomes a Python object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from agtrace.readers.query_results.layouts import bare
from agtrace.readers.query_results.layouts.fitting import fitted
from agtrace.readers.query_results.layouts.table import (
    Header,
    Notice,
    Records,
    Table,
    Wanted,
    is_trailer,
    of_rows,
    value,
)
from agtrace.tables import kernels as pc
from agtrace.tables.column_names import plain

MAX_COLUMNS = 400
MAX_HEADER = 16_000
"""Characters of a header line."""
MAX_TABLES = 1_000
MAX_SURPLUS = 1_000
"""Rows with more cells than names that are put together."""
PIECE_BYTES = 2 << 20
"""Records that are parsed at the same time."""
SEPARATORS = ("\t", ",", ";", "|")
_NAME = r"\"?\[?[A-Za-z_@(][\w /().%#@$:-]{0,127}\]?\"?"
_HEADERS = {
    each: re.compile(rf"^[ \t\ufeff]*{_NAME}(?:{re.escape(each)}{_NAME}){{1,{MAX_COLUMNS}}}[ \t]*\r?$", re.M)
    for each in SEPARATORS
}
_RULE_OF_OTHERS = re.compile(r"^-+(?: +-+)* *\r?$", re.MULTILINE)
"""The dashes below the header of a table of another layout."""
_QUOTE, _LINE_END = 34, 10
_RULE = r"^[\s-]*-[\s-]*$"


@dataclass(frozen=True)
class _Place:
    """Where a header is: its separator, and where its line begins and the first record, in characters."""

    header: Header
    separator: str
    begin: int
    end: int


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables under header lines whose names are wanted, each up to the next header."""
    found = list(_headers(text, is_wanted))
    if not found:
        known = bare.header_of(text[:MAX_HEADER])
        if known and is_wanted([plain(name) for name in known[0]]):
            columns, separator, begin, number = known
            place = _Place(Header(columns, number), separator, begin, begin)
            records = _records(text[begin:], place, is_last=True, is_bare=True)
            records.notices.append(Notice("no_header", bare.MESSAGE, number, "info"))
            yield place.header, records
        return
    others = [text.rfind("\n", 0, max(at.start() - 1, 0)) + 1 for at in _RULE_OF_OTHERS.finditer(text)]
    following = [*(each.begin for each in found[1:]), len(text)]
    for place, begin in zip(found, following, strict=True):
        stop = min([begin, *(other for other in others if place.end <= other)])
        yield place.header, _records(text[place.end : stop], place, is_last=stop == len(text))


def _headers(text: str, is_wanted: Wanted) -> Iterator[_Place]:
    found: dict[int, _Place] = {}
    for separator, pattern in _HEADERS.items():
        if separator not in text:
            continue
        for match in pattern.finditer(text):
            line = match[0].strip("\r\n\ufeff")
            if len(line) > MAX_HEADER or len(found) >= MAX_TABLES or match.start() in found:
                continue
            columns = [cell.strip().strip('"').strip() for cell in line.split(separator)]
            if is_wanted([plain(name) for name in columns]):
                end = min(match.end() + 1, len(text))
                found[match.start()] = _Place(Header(columns, 0), separator, match.start(), end)
    number, at = 1, 0
    for begin, place in sorted(found.items()):
        number += text.count("\n", at, begin)
        at = begin
        yield replace(place, header=Header(place.header.columns, number))


def _records(text: str, place: _Place, *, is_last: bool, is_bare: bool = False) -> Records:
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    found = _places(data, place, is_quoted=True, is_bare=is_bare)
    if _QUOTE in data:
        # Grids are copied without quotes around values: one quote in a value must not swallow what follows.
        without = _places(data, place, is_quoted=False, is_bare=is_bare)
        found = max(found, without, key=lambda each: len(each.begins))
    return found.records(data, place, is_last=is_last)


@dataclass(frozen=True)
class _Places:
    """Records of the right width, and the lines of another one: begins, ends, and numbers of lines."""

    begins: np.ndarray
    ends: np.ndarray
    lines: np.ndarray
    others: list[tuple[int, int, int]]
    is_quoted: bool

    def records(self, data: np.ndarray, place: _Place, *, is_last: bool) -> Records:
        width = len(place.header.columns)
        columns = self._columns(data, width, place.separator)
        lines, notices = self.lines, []
        if columns is None or any(len(column) != len(self.begins) for column in columns):
            columns, lines = [pa.array([], pa.string())] * width, np.zeros(0, np.int64)
            damaged = [
                (int(begin), int(end), int(line))
                for begin, end, line in zip(self.begins, self.ends, self.lines, strict=True)
            ]
        else:
            damaged = self.others
            is_rule = pc.and_kleene(
                pc.match_substring_regex(columns[0], _RULE), pc.match_substring_regex(columns[-1], _RULE)
            )
            kept = np.flatnonzero(~pc.fill_null(is_rule, False).to_numpy(zero_copy_only=False))
            columns, lines = [column.take(pa.array(kept)) for column in columns], lines[kept]
        columns, lines, damaged = _with_surplus(data, place, columns, lines, damaged)
        for _begin, end, line in damaged:
            if is_last and end == len(data) and data[-1] != _LINE_END:
                notices.append(Notice("truncated", "the last row is cut off", line))
            else:
                message = f"rows left out: not {width} cells as under the header"
                notices.append(Notice("damaged_row", message, line))
        ends_open = is_last and len(self.ends) and self.ends[-1] == len(data) and data[-1] != _LINE_END
        if ends_open and data[-1] != _QUOTE and len(lines):
            message = "the last row has no line end: should the file be cut, its last value may be"
            notices.append(Notice("no_line_end", message, int(lines[-1]), "info"))
        last = int(lines[-1]) if len(lines) else place.header.line
        return Records(columns, lines, notices, last_line=last)

    def _columns(self, data: np.ndarray, width: int, separator: str) -> list[pa.Array] | None:
        """Parse the records in pieces of limited size; None if they are not rows of this width."""
        piece = np.cumsum(self.ends - self.begins) // PIECE_BYTES
        cuts = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(piece)]
        found = []
        for first, end in pairwise(cuts):
            runs = _runs(self.begins[first:end], self.ends[first:end])
            whole = np.concatenate([data[:0], *(data[at:to] for at, to in runs)])
            columns = _parsed(whole, width, separator, is_quoted=self.is_quoted)
            if columns is None:
                return None
            found.append(columns)
        return [pa.concat_arrays(pieces) for pieces in zip(*found, strict=True)]


def _with_surplus(
    data: np.ndarray,
    place: _Place,
    columns: list[pa.Array],
    lines: np.ndarray,
    damaged: list[tuple[int, int, int]],
) -> tuple[list[pa.Array], np.ndarray, list[tuple[int, int, int]]]:
    """Add rows with separators in an unquoted text, if only one column can contain that text."""
    rows: list[list[str]] = []
    numbers: list[int] = []
    rest: list[tuple[int, int, int]] = []
    for begin, end, line in damaged:
        text = data[begin:end].tobytes().decode("utf-8", "replace").rstrip("\r\n")
        pieces = text.split(place.separator)
        is_surplus = len(pieces) > len(columns) and len(rows) < MAX_SURPLUS
        cells = fitted(pieces, place.header.names, place.separator) if is_surplus else None
        if cells:
            rows.append(cells)
            numbers.append(line)
        else:
            rest.append((begin, end, line))
    if not rows:
        return columns, lines, rest
    order = np.argsort(np.concatenate([lines, numbers]), kind="stable")
    more = of_rows(rows, len(columns))
    merged = [pa.concat_arrays(pair).take(pa.array(order)) for pair in zip(columns, more, strict=True)]
    return merged, np.concatenate([lines, numbers])[order], rest


def _places(data: np.ndarray, place: _Place, *, is_quoted: bool, is_bare: bool) -> _Places:
    """Return where the records of the right width begin and end."""
    breaks = np.flatnonzero(data == _LINE_END)
    marks = np.flatnonzero(data == ord(place.separator))
    line_of = np.arange(1, len(breaks) + 1)
    if is_quoted:
        quotes = np.flatnonzero(data == _QUOTE)
        is_end = np.searchsorted(quotes, breaks) % 2 == 0
        breaks, line_of = breaks[is_end], line_of[is_end]
        marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
    begins = np.concatenate([[0], breaks + 1]).astype(np.int64)
    ends = np.concatenate([breaks + 1, [len(data)]]).astype(np.int64)
    first = place.header.line if is_bare else place.header.line + 1
    lines = np.concatenate([[0], line_of]).astype(np.int64) + first
    counts = np.bincount(np.searchsorted(breaks, marks), minlength=len(begins))
    is_right = (counts == len(place.header.columns) - 1) & (ends > begins)
    is_other = ~is_right & (counts > 0)
    # A last line after a record and without a line end is the start of another record.
    is_other[-1] |= not is_right[-1] and ends[-1] > begins[-1] and bool(is_right[-2:-1].any())
    others = [
        (int(begins[at]), int(ends[at]), int(lines[at]))
        for at in np.flatnonzero(is_other).tolist()
        if not is_trailer(data[begins[at] : ends[at]].tobytes().decode("utf-8", "replace").rstrip("\r\n"))
    ]
    return _Places(begins[is_right], ends[is_right], lines[is_right], others, is_quoted)


def _runs(begins: np.ndarray, ends: np.ndarray) -> Iterator[tuple[int, int]]:
    """Return the spans of records that follow each other."""
    if not len(begins):
        return
    starts = np.flatnonzero(np.concatenate([[True], begins[1:] != ends[:-1]]))
    stops = np.concatenate([starts[1:], [len(begins)]])
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield int(begins[start]), int(ends[stop - 1])


def _parsed(data: np.ndarray, width: int, separator: str, *, is_quoted: bool) -> list[pa.Array] | None:
    from pyarrow import csv

    names = [str(number) for number in range(width)]
    if not len(data):
        return [pa.array([], pa.string())] * width
    try:
        table = csv.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            csv.ReadOptions(column_names=names, use_threads=False, block_size=len(data) + 1),
            csv.ParseOptions(
                delimiter=separator,
                quote_char='"' if is_quoted else False,
                double_quote=is_quoted,
                newlines_in_values=is_quoted,
                ignore_empty_lines=False,
            ),
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, check_utf8=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    return [value(table[name].combine_chunks()) for name in names]


def rows_of(columns: Sequence[pa.Array]) -> pa.Array:
    """Return columns of text as a list of cells for each row."""
    rows, width = len(columns[0]), len(columns)
    order = np.arange(rows * width).reshape(width, rows).T.ravel()
    cells = pa.concat_arrays(columns).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(np.arange(rows + 1, dtype=np.int32) * np.int32(width)), cells)
