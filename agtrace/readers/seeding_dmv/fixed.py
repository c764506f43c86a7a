"""Tables of fixed width: results to text of SSMS, and sqlcmd.

A line of dashes under the header gives the widths; ``sqlcmd`` breaks lines that are wider than its
screen (80 unless ``-w`` says more), header, dashes and rows alike. ``sqlcmd -W`` takes the padding
away: then the cells are told apart by their kinds.
Source: Microsoft documentation, "sqlcmd utility", options -s, -w, -W, -y.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agtrace.readers.seeding_dmv.columns import Kind, columns_of, may_show, topics_of
from agtrace.readers.seeding_dmv.lines import Lines, is_rule, is_trailer
from agtrace.readers.seeding_dmv.table import Damage, Record, Table

MAX_BROKEN = 100
"""Lines into which one row may be broken."""
CUT = 256
"""SSMS shows so many characters of a value unless told otherwise."""

_TIME = r"\d\S* \d\S*(?: [AaPp]\.?[Mm]\.?)?|NULL"
_PATTERNS = {
    Kind.TIME: _TIME,
    Kind.UTC: _TIME,
    Kind.GUID: r"[0-9A-Fa-f-]{36}|NULL",
    Kind.INTEGER: r"[+-]?\d+|NULL",
    Kind.BIT: "[01]|NULL",
    Kind.TEXT: r"\S*",
}
"""Values without padding, by kind."""
_FREE = ("failure_message", "failure_state_desc", "failure_state")
"""Columns of texts with spaces; failure_state is one where a query shows the description under it."""


def read(lines: Lines) -> Table | None:
    """Read the table whose line of dashes is at the cursor, and leave the cursor behind its rows.

    Gives None, and moves over the dashes, when it is none of the DMVs.
    """
    height = 1
    while height < MAX_BROKEN and lines.has(height) and is_rule(lines.peek(height)):
        height += 1
    rules = [lines.peek(at) for at in range(height)]
    titles = [lines.peek(at - height) for at in range(height) if lines.has(at - height)]
    if len(titles) < height or not any(map(may_show, titles)):
        lines.advance(height)
        return None
    widths = [len(rule) for rule in rules]
    for at, title in enumerate(titles[1:]):
        # Where no column is broken the next line begins with a name: the space between is lost.
        if title[:1].strip() and rules[at].endswith("-"):
            widths[at] += 1
    spans = [match.span() for match in re.finditer("-+", _flat(rules, widths))]
    title = _flat(titles, widths)
    header = [title[begin:end].strip() for begin, end in spans]
    number = lines.number - height
    lines.advance(height)
    if not topics_of(header):
        return None
    table = Table(number, header)
    trimmed = _trimmed(header, spans)
    while lines.more and not table.is_full:
        if not lines.line.strip() or is_trailer(lines.line) or lines.line == titles[0]:
            break
        _take(lines, table, widths, spans, trimmed)
    return table


def _flat(parts: Sequence[str], widths: Sequence[int]) -> str:
    whole = [part.ljust(width) for part, width in zip(parts[:-1], widths, strict=False)]
    return "".join(whole) + parts[-1]


def _trimmed(header: Sequence[str], spans: Sequence[tuple[int, int]]) -> re.Pattern[str] | None:
    """Give the pattern of rows without padding; None where the widths can hold the values."""
    kinds = {column.place: column for column in reversed(columns_of(header))}
    needs = {Kind.TIME: 16, Kind.UTC: 16, Kind.GUID: 36}
    narrow = any(
        column.strict and end - begin < needs.get(column.kind, 0)
        for column, (begin, end) in ((kinds[place], span) for place, span in enumerate(spans))
    )
    exact = all(end - begin == len(name) for name, (begin, end) in zip(header, spans, strict=True))
    if not (narrow and exact):
        return None
    places = {column.key: place for place, column in kinds.items()}
    free = next((places[key] for key in _FREE if key in places), None)
    cells = [
        ".*?" if place == free else _PATTERNS[kinds[place].kind] if kinds[place].strict else r"\S*"
        for place in range(len(header))
    ]
    return re.compile(" ".join(f"({cell})" for cell in cells))


def _take(
    lines: Lines,
    table: Table,
    widths: Sequence[int],
    spans: Sequence[tuple[int, int]],
    trimmed: re.Pattern[str] | None,
) -> None:
    number = lines.number
    height = len(widths)
    parts = [lines.peek(at) for at in range(height) if lines.has(at)]
    lines.advance(len(parts))
    is_last = not lines.more and not lines.ends_with_newline
    text = _flat(parts, widths)
    if is_last and (len(parts) < height or (not trimmed and len(text) <= spans[-1][0])):
        table.damages.append(Damage("truncated", "the last row is cut off", number))
        return
    if trimmed:
        match = trimmed.fullmatch(text)
        cells = list(match.groups()) if match else None
        message = "rows left out: without padding (sqlcmd -W) their values cannot be told apart"
    else:
        gaps = all(text[end : end + 1] in ("", " ") for _begin, end in spans)
        cells = [text[begin:end].strip() for begin, end in spans] if gaps else None
        message = "rows left out: their cells do not stand under the dashes"
    if cells is None:
        table.damages.append(Damage("damaged_row", message, number))
        return
    table.records.append(Record(number, cells))
    if any(len(text[begin:end].rstrip()) == end - begin >= CUT for begin, end in spans):
        message = "a value fills its column and may be cut: allow more characters per column"
        table.damages.append(Damage("cut_value", message, number, "info"))
    if is_last:
        message = "the last row has no line end: should the file be cut, its last value may be"
        table.damages.append(Damage("no_line_end", message, number, "info"))
