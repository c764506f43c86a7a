"""Tables of PowerShell's ``Format-Table`` and of ``sqlcmd -W``: the dashes are only as long as the names.

Format-Table pads values to the widest one of a column, so a column of spaces separates two columns from the
header to the last row. ``-W`` removes all padding, so values are separated by their types.
Sources: Microsoft Learn, "Format-Table"; "sqlcmd utility", option -W.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

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

MAX_BYTES = 16 << 20
MAX_WIDTH = 20_000
_RULE = re.compile(r"^ *-+(?: +-+)+ *\r?$", re.MULTILINE)
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?")
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d.*")
_HALF = re.compile(r"[AaPp]\.?[Mm]\.?")
_CUT = ("...", "…")


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables whose names are as long as the dashes under them, and whose rows are not."""
    if len(text) > MAX_BYTES:
        return
    line, at = 1, 0
    for match in _RULE.finditer(text):
        begin = text.rfind("\n", 0, max(match.start() - 1, 0)) + 1
        title, rule = text[begin : max(match.start() - 1, 0)].rstrip("\r"), match[0].rstrip()
        if not title.strip() or len(title) > MAX_WIDTH:
            continue
        spans = [run.span() for run in re.finditer("-+", rule)]
        names = [title[a:b].strip() for a, b in spans]
        is_tight = all(len(name) == b - a for name, (a, b) in zip(names, spans, strict=True))
        if not is_tight or not is_wanted([plain(name) for name in names]):
            continue
        line += text.count("\n", at, begin)
        at = begin
        rows = list(_rows(text, match.end() + 1))
        header = Header(names, line)
        if found := _between_blanks(header, [title, rule, *rows], spans) or _by_kinds(header, rows):
            yield header, found


def _rows(text: str, at: int) -> Iterator[str]:
    while at < len(text):
        end = text.find("\n", at)
        row = text[at : end if end >= 0 else None].rstrip()[:MAX_WIDTH]
        if not row.strip() or is_trailer(row):
            return
        yield row
        at = end + 1 if end >= 0 else len(text)


def _between_blanks(header: Header, lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> Records | None:
    """Return the records between columns of blanks; None where there are no such columns."""
    width = max(map(len, lines))
    used = np.zeros(width, bool)
    for row in lines:
        used[: len(row)] |= np.frombuffer(row.encode("utf-32-le"), np.uint32) != ord(" ")
    cuts = [0]
    for (_begin, end), (begin, _end) in pairwise(spans):
        blanks = np.flatnonzero(~used[end:begin])
        if not len(blanks):
            return None
        cuts.append(end + int(blanks[-1]))
    rows = pa.array(lines[2:], pa.string())
    columns = [
        value(pc.utf8_slice_codeunits(rows, begin, end))
        for begin, end in zip(cuts, [*cuts[1:], width], strict=True)
    ]
    numbers = np.arange(len(rows), dtype=np.int64) + header.line + 2
    notices = []
    for column in columns:
        is_cut = pc.or_kleene(pc.ends_with(column, _CUT[0]), pc.ends_with(column, _CUT[1]))
        notices += [
            Notice("cut_value", "the console cut values: send Format-List or Export-Csv", int(numbers[at]))
            for at in np.flatnonzero(pc.fill_null(is_cut, False).to_numpy(zero_copy_only=False))
        ]
    return Records(columns, numbers, notices, last_line=header.line + len(lines) - 1)


def _by_kinds(header: Header, lines: Sequence[str]) -> Records:
    """Return the records of lines without padding, as far as their values can be separated."""
    names = header.names
    rows, numbers, notices = [], [], []
    for number, line in enumerate(lines, header.line + 2):
        cells = fitted(_with_clocks(line.split(" ")), names, " ")
        if cells:
            rows.append(cells)
            numbers.append(number)
        else:
            message = "rows left out: without padding (sqlcmd -W) their values cannot be told apart"
            notices.append(Notice("damaged_row", message, number))
    last = header.line + 1 + len(lines)
    return Records(of_rows(rows, len(names)), np.array(numbers, np.int64), notices, last_line=last)


def _with_clocks(cells: Sequence[str]) -> list[str]:
    """Return the cells of a line with dates and their times in one."""
    joined: list[str] = []
    for cell in cells:
        is_clock = joined and _DATE.fullmatch(joined[-1]) and _CLOCK.fullmatch(cell)
        is_half = joined and " " in joined[-1] and _HALF.fullmatch(cell)
        if is_clock or is_half:
            joined[-1] += f" {cell}"
        else:
            joined.append(cell)
    return joined
