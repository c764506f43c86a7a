"""The reader: each table's head and rows, the facts of those that are known, then the issues."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.grids.columns import is_view, time_column
from agtrace.readers.rowsets.encoding import Encoding
from agtrace.readers.rowsets.gathering import Gathered
from agtrace.readers.rowsets.topics import TOPICS
from agtrace.readers.separated import Header, Records, headers, read_text, rows_of, tables
from agtrace.readers.text import decode_text
from agtrace.readers.written_times import Times, local_times
from agtrace.tables import LOCAL_TIME, ROWSET_HEADS, ROWSET_ROWS

KIND = "rows of DMVs"
DEFAULTS = ReadOptions()


class GridReader:
    """Reads tables of DMVs whose cells are separated."""

    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise a header line with a column that only a server's own views have."""
        text = decode_text(head)
        return Detection(KIND) if "\0" not in text and headers(text, is_view) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Return head and rows of each table, then facts and issues.

        Raises
        ------
        CaptureError
            No table of a server's own views is in the file, or the file is too large.
        """
        text = read_text(source, options)
        found = headers(text, is_view)
        if not found:
            if text.strip():
                raise CaptureError(source.path, f"no {KIND} in it")
            return
        gathered, guessed, far, damaged, is_cut = Gathered(Encoding("utf-8")), 0, 0, 0, False
        for number, (header, records) in enumerate(tables(text, found)):
            times = _times(header, records)
            head = _head(number, header)
            rows = _rows(number, records, times.local)
            guessed += times.is_guess
            far += len(far_rows(rows["time_local"]))
            damaged, is_cut = damaged + records.damaged, is_cut or records.is_cut
            gathered.see(head, rows, pa.array(records.offsets))
            yield "rowset_heads", head
            if rows.num_rows:
                yield "rowset_rows", rows
        yield from gathered.facts()
        yield from gathered.issues()
        yield from _issues(damaged, guessed, is_cut)
        if not is_cut and not text.endswith("\n"):
            yield issue("truncated", "the last row is cut off")
        if far:
            yield far_issue("rows", far, None)


def _times(header: Header, records: Records) -> Times:
    place = time_column(header.names)
    if place is None:
        return Times(pa.nulls(len(records.lines), LOCAL_TIME), is_guess=False)
    return local_times(records.columns[place])


def _head(number: int, header: Header) -> pa.RecordBatch:
    row = {"rowset": number, "name": None, "line": header.line, "time_local": None, "columns": header.columns}
    return pa.RecordBatch.from_pylist([row], schema=ROWSET_HEADS)


def _rows(number: int, records: Records, times: pa.Array) -> pa.RecordBatch:
    count = len(records.lines)
    columns = {
        "rowset": pa.array(np.full(count, number, np.int32)),
        "row": pa.array(np.arange(count, dtype=np.int32)),
        "line": pa.array(records.lines),
        "time_local": times,
        "cells": rows_of(records.columns),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in ROWSET_ROWS.names], schema=ROWSET_ROWS)


def _issues(damaged: int, guessed: int, is_cut: bool) -> Iterator[Batch]:
    if damaged:
        message = "rows left out: another number of cells than under the header"
        yield issue("damaged_row", message, count=damaged)
    if guessed:
        message = "nothing tells day from month in the times: the month is taken to come first"
        yield issue("time_order_unknown", message, count=guessed)
    if is_cut:
        message = "the last row has no line end: should the file be cut, its last value may be"
        yield issue("no_line_end", message, severity="info")


READING = GridReader()
