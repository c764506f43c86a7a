"""Tables whose cells are separated by commas, tabs, semicolons or bars, read as Arrow columns.

Quotes, line ends and separators are found in the bytes as a whole; no record becomes a Python object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import ReadOptions, Source
from agtrace.readers.seeding_dmv.columns import plain
from agtrace.readers.text import decode_text
from agtrace.tables import kernels as pc

MAX_BYTES = 64 << 20
MAX_COLUMNS = 400
MAX_HEADER = 16_000
"""Characters of a header line."""
MAX_TABLES = 1_000
SEPARATORS = ("\t", ",", ";", "|")
_NAME = r"\"?\[?[A-Za-z_][\w /().%#-]{0,127}\]?\"?"
_HEADERS = {
    each: re.compile(rf"^[ \t\ufeff]*{_NAME}(?:{re.escape(each)}{_NAME}){{1,{MAX_COLUMNS}}}[ \t]*\r?$", re.M)
    for each in SEPARATORS
}
_QUOTE, _LINE_END, _RETURN = 34, 10, 13
_RULE = r"^[\s-]*-[\s-]*$"
NULLS = pa.array(["", "NULL", "null", "(null)"])


@dataclass(frozen=True)
class Header:
    """The header line of a table.

    Parameters
    ----------
    columns
        Names of the columns as written, without quotes.
    separator
        The character between cells.
    begin, end
        Where the line begins, and where the first record begins, in characters.
    line
        Number of the line, from 1.
    """

    columns: list[str]
    separator: str
    begin: int
    end: int
    line: int

    @property
    def names(self) -> list[str]:
        """The names as they compare."""
        return [plain(name) for name in self.columns]


@dataclass(frozen=True)
class Records:
    """The records of a table, in columns.

    Parameters
    ----------
    columns
        One array of text for each column, without blanks around values; NULL where there is no value.
    lines
        Number of the line on which each record begins.
    offsets
        Where each record begins, in bytes of the text as UTF-8 from the start of the records.
    damaged
        Lines that are not blank and have another number of cells.
    is_cut
        Whether the last record has no line end.
    """

    columns: list[pa.Array]
    lines: np.ndarray
    offsets: np.ndarray
    damaged: int
    is_cut: bool


def read_text(source: Source, options: ReadOptions) -> str:
    """Read the whole text of a small capture.

    Raises
    ------
    CaptureError
        The file is larger than `MAX_BYTES`.
    """
    if source.size > MAX_BYTES:
        raise CaptureError(
            source.path, "too large for a table of text", need=f"at most {MAX_BYTES} bytes", have=source.size
        )
    with source.open() as file:
        return decode_text(file.read(), options.encoding)


def headers(text: str, is_wanted: Callable[[Sequence[str]], bool]) -> list[Header]:
    """Return the header lines of a text whose names, as they compare, are wanted.

    Parameters
    ----------
    text
        The text.
    is_wanted
        Decides by the names of the columns.
    """
    found: dict[int, Header] = {}
    for separator, pattern in _HEADERS.items():
        for match in pattern.finditer(text):
            line = match[0].strip("\r\n\ufeff")
            if len(line) > MAX_HEADER or len(found) >= MAX_TABLES:
                continue
            columns = [cell.strip().strip('"').strip() for cell in line.split(separator)]
            if match.start() not in found and is_wanted([plain(name) for name in columns]):
                end = min(match.end() + 1, len(text))
                found[match.start()] = Header(columns, separator, match.start(), end, 0)
    return list(_numbered(text, [found[place] for place in sorted(found)]))


def _numbered(text: str, found: list[Header]) -> Iterator[Header]:
    line, at = 1, 0
    for header in found:
        line += text.count("\n", at, header.begin)
        at = header.begin
        yield Header(header.columns, header.separator, header.begin, header.end, line)


def tables(text: str, found: Sequence[Header]) -> Iterator[tuple[Header, Records]]:
    """Read the records under each header, up to the next one."""
    ends = [header.begin for header in found[1:]] + [len(text)]
    for header, end in zip(found, ends, strict=True):
        yield header, _records(text[header.end : end], header, is_last=end == len(text))


def _records(text: str, header: Header, *, is_last: bool) -> Records:
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    with_quotes = _places(data, header, is_quoted=True)
    if _QUOTE in data:
        # Grids are copied without quotes around values: one quote in a value must not swallow what follows.
        without = _places(data, header, is_quoted=False)
        with_quotes = max(with_quotes, without, key=lambda each: len(each.begins))
    return with_quotes.records(data, header, is_last=is_last)


@dataclass(frozen=True)
class _Places:
    begins: np.ndarray
    ends: np.ndarray
    lines: np.ndarray
    damaged: int
    is_quoted: bool

    def records(self, data: np.ndarray, header: Header, *, is_last: bool) -> Records:
        width = len(header.columns)
        parts = [data[begin:end].tobytes() for begin, end in _runs(self.begins, self.ends)]
        columns = _parsed(b"".join(parts), width, header.separator, is_quoted=self.is_quoted)
        if columns is None or any(len(column) != len(self.begins) for column in columns):
            columns, empty = [pa.array([], pa.string())] * width, np.zeros(0, np.int64)
            return Records(columns, empty, empty, self.damaged + len(self.begins), is_cut=False)
        is_rule = pc.and_kleene(
            pc.match_substring_regex(columns[0], _RULE), pc.match_substring_regex(columns[-1], _RULE)
        )
        kept = np.flatnonzero(~pc.fill_null(is_rule, False).to_numpy(zero_copy_only=False))
        is_cut = bool(is_last and len(self.ends) and self.ends[-1] == len(data) and data[-1] != _LINE_END)
        return Records(
            [column.take(pa.array(kept)) for column in columns],
            (self.lines[kept] + header.line).astype(np.int64),
            self.begins[kept].astype(np.int64),
            self.damaged,
            is_cut,
        )


def _places(data: np.ndarray, header: Header, *, is_quoted: bool) -> _Places:
    """Return where the records of the right width begin and end."""
    breaks = np.flatnonzero(data == _LINE_END)
    marks = np.flatnonzero(data == ord(header.separator))
    line_of = np.arange(1, len(breaks) + 1)
    if is_quoted:
        quotes = np.flatnonzero(data == _QUOTE)
        is_end = np.searchsorted(quotes, breaks) % 2 == 0
        breaks, line_of = breaks[is_end], line_of[is_end]
        marks = marks[np.searchsorted(quotes, marks) % 2 == 0]
    begins = np.concatenate([[0], breaks + 1]).astype(np.int64)
    ends = np.concatenate([breaks + 1, [len(data)]]).astype(np.int64)
    lines = np.concatenate([[1], line_of + 1]).astype(np.int64)
    counts = np.bincount(np.searchsorted(breaks, marks), minlength=len(begins))
    is_right = (counts == len(header.columns) - 1) & (ends > begins)
    is_other = ~is_right & (counts > 0)
    return _Places(begins[is_right], ends[is_right], lines[is_right], int(is_other.sum()), is_quoted)


def _runs(begins: np.ndarray, ends: np.ndarray) -> Iterator[tuple[int, int]]:
    """Return the spans of records that follow each other."""
    if not len(begins):
        return
    starts = np.flatnonzero(np.concatenate([[True], begins[1:] != ends[:-1]]))
    stops = np.concatenate([starts[1:], [len(begins)]])
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield int(begins[start]), int(ends[stop - 1])


def _parsed(data: bytes, width: int, separator: str, *, is_quoted: bool) -> list[pa.Array] | None:
    from pyarrow import csv

    names = [str(number) for number in range(width)]
    if not data:
        return [pa.array([], pa.string())] * width
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
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
    return [_value(table[name].combine_chunks()) for name in names]


def _value(column: pa.Array) -> pa.Array:
    trimmed = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(trimmed, NULLS), pa.scalar(None, pa.string()), trimmed)


def rows_of(columns: Sequence[pa.Array]) -> pa.Array:
    """Return columns of text as a list of cells for each row."""
    rows, width = len(columns[0]), len(columns)
    order = np.arange(rows * width).reshape(width, rows).T.ravel()
    cells = pa.concat_arrays(columns).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(np.arange(rows + 1, dtype=np.int32) * np.int32(width)), cells)
