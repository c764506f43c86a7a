"""From the exports of the two seeding DMVs to facts.

| topic | one item per |
|---|---|
| dm_hadr_automatic_seeding | row: a seeding operation, over or not, at one look |
| dm_hadr_physical_seeding_stats | row: a copy that is going on, at one look |

Keys are the DMV's own column names; other columns keep the export's names. Times are ISO 8601, with
``Z`` in keys that end in ``_utc``; the others are as the server or the query wrote them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.seeding_dmv import delimited, fixed, objects
from agtrace.readers.seeding_dmv.columns import Column, Kind, columns_of, may_show
from agtrace.readers.seeding_dmv.lines import MAX_LINE, MAX_LINES, Lines, is_rule
from agtrace.readers.seeding_dmv.table import MAX_BYTES, MAX_DAMAGES, MAX_ROWS, Damage, Record, Table
from agtrace.readers.seeding_dmv.times import day_first
from agtrace.readers.seeding_dmv.values import Values, capped, is_null, is_shortened
from agtrace.readers.text_lines import TextLines

LEAST_TITLE = 8
"""Characters of the shortest name by which one of the DMVs is known, which every header holds."""

SHOWN = 40
"""Characters of a value that a message repeats."""


def recognise(text: str) -> bool:
    """Tell whether a text holds a table of one of the DMVs, with rows or without."""
    return next(tables(text), None) is not None


def decode(text: TextLines) -> Decoded:
    """Give the facts, and the faults without their places."""
    damages: list[Damage] = []
    yield from read(text.start(MAX_BYTES), damages)
    for each in damages:
        yield Fault(each.kind, each.message, each.severity)


def tables(text: str) -> Iterator[Table]:
    """Find the tables of the DMVs in a text, of whatever shape.

    What follows line `agtrace.readers.seeding_dmv.lines.MAX_LINES` is not read.
    """
    start = text.lstrip("\ufeff \t\r\n")[:MAX_LINE].partition("\n")[0].rstrip("\r")
    bare = delimited.bare_header_of(start)
    if not bare and not may_show(text):
        return
    lines = Lines(text)
    while not lines.line.strip("\ufeff \t"):
        lines.advance()
    if bare:
        table = delimited.read(lines, *bare, is_bare=True)
        message = "no header: the values are taken for the columns of SELECT *, in their order"
        table.damages.append(Damage("no_header", message, table.line, "info"))
        yield table
    elif start.startswith(("[", "{")):
        yield from objects.read_all(lines)
        return
    while lines.more:
        line = lines.line
        if len(line) < LEAST_TITLE and not line.startswith("-"):
            lines.advance()
        elif objects.is_chunked(lines):
            yield from objects.read_chunks(lines)
        elif is_rule(line):
            if under := fixed.read(lines):
                yield under
        elif header := delimited.header_of(line):
            yield delimited.read(lines, *header)
        else:
            lines.advance()


def read(text: str, damages: list[Damage]) -> Iterator[Fact]:
    """Give the facts of a text in the order of the file, and add to the damages what is damaged in it."""
    found, rows = [], 0
    for table in tables(text):
        found.append(table)
        rows += len(table.records)
        if rows >= MAX_ROWS or len(table.damages) >= MAX_DAMAGES:
            message = f"too many rows, or damaged ones: the first {rows:,} are read"
            damages.append(Damage("too_many_rows", message, table.line, "data_loss"))
            break
    if found and text.count("\n") > MAX_LINES:
        message = f"only the first {MAX_LINES:,} lines are read"
        damages.append(Damage("too_many_rows", message, MAX_LINES, "data_loss"))
    yield from facts_of(found, damages)
    if found and not rows and not damages:
        message = "a header without rows: at that moment the server knew of no seeding"
        damages.append(Damage("no_rows", message, found[0].line, "info"))


def facts_of(found: Sequence[Table], damages: list[Damage]) -> Iterator[Fact]:
    """Give the facts of tables of the DMVs, and add what is damaged in them and their values."""
    layouts = [columns_of(table.header) for table in found]
    order = day_first(_times(found, layouts))
    items: Counter[str] = Counter()
    for table, columns in zip(found, layouts, strict=True):
        damages += table.damages
        for record in table.records:
            yield from _facts(record, columns, order, items, damages)


def _times(found: Sequence[Table], layouts: Sequence[Sequence[Column]]) -> Iterator[str]:
    for table, columns in zip(found, layouts, strict=True):
        places = [c.place for c in columns if c.kind in (Kind.TIME, Kind.UTC)]
        for record in table.records:
            for place in places:
                yield (record.cells[place] or "").strip()


def _facts(
    record: Record, columns: Sequence[Column], order: bool | None, items: Counter[str], damages: list[Damage]
) -> Iterator[Fact]:
    values = Values()
    for column in columns:
        text = (record.cells[column.place] or "").strip()
        if not is_null(text):
            values.take(column, text, order)
    if values.is_damaged:
        message = "rows left out: their values are none of the columns they stand in"
        damages.append(Damage("damaged_row", message, record.line))
        return
    damages += _losses(values, record.line)
    topics = dict.fromkeys(topic for column in columns for topic in column.topics)
    for topic in topics:
        item = items[topic]
        items[topic] += 1
        seen: set[str] = set()
        for column, key, value in values.told:
            if topic in column.topics and key not in seen:
                seen.add(key)
                yield Fact(topic, item, capped(key), value, column.unit, record.line, values.time_local)


def _losses(values: Values, line: int) -> Iterator[Damage]:
    for key, text in values.unreadable:
        message = f"values of {key} left out, such as {capped(text)[:SHOWN]!r}"
        if is_shortened(text):
            message += (
                ": a spreadsheet that saved the file shortened them, and they cannot be restored; "
                "export again, and leave the file as it is"
            )
        yield Damage("unreadable_value", message, line)
    for key, text in values.unordered:
        message = (
            f"times of {key} left out, such as {capped(text)[:SHOWN]!r}: nothing in the file tells "
            "the order of day and month"
        )
        yield Damage("time_order_unknown", message, line)
    if values.is_shifted:
        message = (
            "times as milliseconds since 1970 (ConvertTo-Json) are shifted by the offset of whoever "
            "exported them: none of them is taken as UTC"
        )
        yield Damage("client_times", message, line, "info")
