"""Decode exports of the two seeding DMVs to facts.

| topic | one item per |
|---|---|
| dm_hadr_automatic_seeding | row: a seeding operation, finished or not, in one snapshot |
| dm_hadr_physical_seeding_stats | row: a copy in progress, in one snapshot |

Keys are the DMV's own column names; other columns keep the names of the export. Times are ISO 8601, with
``Z`` in keys that end in ``_utc``; the others are as the server or the query wrote them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from agtrace.readers.fact_text import Fact
from agtrace.readers.query_results.layouts.table import Notice
from agtrace.readers.query_results.seeding.columns import Column, ColumnKind, columns_of
from agtrace.readers.query_results.seeding.values import Values, capped, is_null, is_shortened
from agtrace.readers.written_times import day_first

SHOWN = 40
"""Characters of a value that a message repeats."""


class Record(NamedTuple):
    """One row: its line, and its cells; None where there is no value."""

    line: int
    cells: Sequence[str | None]


@dataclass
class SeedingTable:
    """Rows of a seeding DMV under one header.

    Parameters
    ----------
    line
        Line of the header, from 1.
    header
        Names of the columns as written.
    records
        Its rows.
    """

    line: int
    header: Sequence[str]
    records: list[Record] = field(default_factory=list)


def facts_of(found: Sequence[SeedingTable], damages: list[Notice]) -> Iterator[Fact]:
    """Yield the facts of tables of the DMVs; collect what is damaged in them and their values."""
    layouts = [columns_of(table.header) for table in found]
    order = day_first(_times(found, layouts))
    items: Counter[str] = Counter()
    for table, columns in zip(found, layouts, strict=True):
        for record in table.records:
            yield from _facts(record, columns, order, items, damages)


def _times(found: Sequence[SeedingTable], layouts: Sequence[Sequence[Column]]) -> Iterator[str]:
    for table, columns in zip(found, layouts, strict=True):
        places = [c.place for c in columns if c.kind in (ColumnKind.TIME, ColumnKind.UTC)]
        for record in table.records:
            for place in places:
                yield (record.cells[place] or "").strip()


def _facts(
    record: Record, columns: Sequence[Column], order: bool | None, items: Counter[str], damages: list[Notice]
) -> Iterator[Fact]:
    values = Values()
    for column in columns:
        text = (record.cells[column.place] or "").strip()
        if not is_null(text):
            values.take(column, text, order)
    if values.is_damaged:
        message = "rows left out: their values are none of the columns they stand in"
        damages.append(Notice("damaged_row", message, record.line))
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


def _losses(values: Values, line: int) -> Iterator[Notice]:
    for key, text in values.unreadable:
        message = f"values of {key} left out, such as {capped(text)[:SHOWN]!r}"
        if is_shortened(text):
            message += (
                ": a spreadsheet that saved the file shortened them, and they cannot be restored; "
                "export again, and leave the file as it is"
            )
        yield Notice("unreadable_value", message, line)
    for key, text in values.unordered:
        message = (
            f"times of {key} left out, such as {capped(text)[:SHOWN]!r}: nothing in the file tells "
            "the order of day and month"
        )
        yield Notice("time_order_unknown", message, line)
    if values.is_shifted:
        message = (
            "times as milliseconds since 1970 (ConvertTo-Json) are shifted by the offset of whoever "
            "exported them: none of them is taken as UTC"
        )
        yield Notice("client_times", message, line, "info")
