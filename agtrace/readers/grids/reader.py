"""The reader: the header and its rows, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyarrow import csv

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.grids.header import Header, find
from agtrace.readers.seeding_dmv.lines import is_trailer
from agtrace.readers.text import decode_text, sniff_encoding
from agtrace.tables import LOCAL_TIME, ROWSET_HEADS, ROWSET_ROWS
from agtrace.tables import kernels as pc

KIND = "rows of a view of SQL Server (CSV or copied grid)"
DEFAULTS = ReadOptions()
BLOCK_BYTES = 1 << 20
MOMENTS = frozenset(("runtime", "sample_time", "collection_time", "capture_time", "snapshot_time"))
"""Columns that hold when the server was asked, its local time."""
_MOMENT = r"^\d{4}-\d\d-\d\d[ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$"
_LONGEST = 26
"""Characters of a time down to its microseconds."""


class GridReader:
    """Reads separated cells under the names of columns of a view."""

    topics = ()

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise a grid by the names of its columns."""
        return Detection(KIND) if find(decode_text(head)) is not None else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Read the head, then the rows.

        Raises
        ------
        CaptureError
            No header of a known view is in it.
        """
        head = source.head()
        header = find(decode_text(head, options.encoding))
        if header is None:
            raise CaptureError(source.path, f"no {KIND} in it")
        yield _head(header)
        encoding, skip = sniff_encoding(head)
        faults = _Faults(header)
        with source.open() as file:
            file.seek(skip)
            yield from _rows(file, header, options, options.encoding or encoding, faults)
        if faults.count:
            message = f"row {faults.first}: {faults.count} rows have other cells than the header"
            yield issue("damaged_row", message, severity="warning", count=faults.count)


class _Faults:
    """Counts rows with too many or too few cells."""

    def __init__(self, header: Header) -> None:
        self._separator = header.separator
        self.count, self.first = 0, 0

    def handle(self, row: csv.InvalidRow) -> str:
        text = str(row.text).strip()
        if text and not is_trailer(text) and set(text) - set("- \t|,;"):
            self.count += 1
            self.first = self.first or row.number or self.count
        return "skip"


def _head(header: Header) -> Batch:
    row = {"rowset": 0, "name": None, "line": header.line + 1, "time_local": None, "columns": header.columns}
    return "rowset_heads", pa.RecordBatch.from_pylist([row], schema=ROWSET_HEADS)


def _rows(
    file: object, header: Header, options: ReadOptions, encoding: str, faults: _Faults
) -> Iterator[Batch]:
    names = [f"c{number}" for number in range(len(header.columns))]
    try:
        reader = csv.open_csv(
            file,
            read_options=csv.ReadOptions(
                column_names=names,
                skip_rows=header.line + 1,
                block_size=options.block_bytes or BLOCK_BYTES,
                encoding=encoding,
                use_threads=False,
            ),
            parse_options=csv.ParseOptions(
                delimiter=header.separator, newlines_in_values=True, invalid_row_handler=faults.handle
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:  # a header without rows
        return
    first_row, first_line = 0, header.line + 2
    moment = next((n for n, name in enumerate(header.columns) if name.lower() in MOMENTS), None)
    try:
        for batch in reader:
            if batch.num_rows:
                made, first_line = _batch(batch, moment, first_row, first_line)
                first_row += batch.num_rows
                yield "rowset_rows", made
    except pa.ArrowInvalid as error:
        yield issue("damaged_rows", f"rows after row {first_row} are not read: {error}", severity="data_loss")


def _batch(
    batch: pa.RecordBatch, moment: int | None, first_row: int, first_line: int
) -> tuple[pa.RecordBatch, int]:
    """Return the rows of a batch, and the line after its last one."""
    n, width = batch.num_rows, batch.num_columns
    columns = [_values(column) for column in batch.columns]
    places = (np.arange(n)[:, None] + n * np.arange(width)[None, :]).ravel()
    cells = pa.ListArray.from_arrays(
        pa.array(np.arange(0, n * width + 1, width, dtype=np.int32)),
        pa.concat_arrays(columns).take(pa.array(places)),
    )
    broken = sum(pc.count_substring(column, "\n").to_numpy(zero_copy_only=False) for column in batch.columns)
    lines = first_line + np.arange(n) + np.concatenate(([0], np.cumsum(broken)[:-1]))
    made = {
        "rowset": pa.array(np.zeros(n, np.int32)),
        "row": pa.array(np.arange(first_row, first_row + n, dtype=np.int32)),
        "line": pa.array(lines.astype(np.int64)),
        "time_local": pa.nulls(n, LOCAL_TIME) if moment is None else _moments(columns[moment]),
        "cells": cells,
    }
    found = pa.RecordBatch.from_arrays([made[name] for name in ROWSET_ROWS.names], schema=ROWSET_ROWS)
    return found, int(lines[-1]) + 1 + int(np.asarray(broken)[-1])


def _values(column: pa.Array) -> pa.Array:
    """Return cells without blanks around them; NULL is no value."""
    trimmed = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.equal(trimmed, "NULL"), pa.scalar(None, pa.string()), trimmed)


def _moments(texts: pa.Array) -> pa.Array:
    fitting = pc.match_substring_regex(texts, _MOMENT)
    short = pc.utf8_slice_codeunits(pc.if_else(fitting, texts, pa.scalar(None, pa.string())), 0, _LONGEST)
    try:
        return pc.cast(short, LOCAL_TIME)
    except pa.ArrowInvalid:  # 31 February
        return pa.nulls(len(texts), LOCAL_TIME)


READING = GridReader()
