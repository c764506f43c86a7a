"""Heads and rows of tables that were read as columns, as Arrow batches."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from agtrace.readers.query_results.columns import time_column
from agtrace.readers.query_results.layouts.separated import rows_of
from agtrace.readers.query_results.layouts.table import Header, Records
from agtrace.readers.written_times import Times, local_times
from agtrace.tables import LOCAL_TIME, ROWSET_HEADS, ROWSET_ROWS


def head_of(number: int, header: Header) -> pa.RecordBatch:
    """Return the head of a table as a row of ``rowset_heads``."""
    row = {"rowset": number, "name": None, "line": header.line, "time_local": None, "columns": header.columns}
    return pa.RecordBatch.from_pylist([row], schema=ROWSET_HEADS)


def times_of(header: Header, records: Records) -> Times:
    """Compute when each record was so, by the column that tells it."""
    place = time_column(header.names)
    if place is None:
        return Times(pa.nulls(len(records.lines), LOCAL_TIME), is_guess=False)
    return local_times(records.columns[place])


def rows_in(number: int, records: Records, times: pa.Array) -> pa.RecordBatch:
    """Return the records of a table as rows of ``rowset_rows``."""
    count = len(records.lines)
    columns = {
        "rowset": pa.array(np.full(count, number, np.int32)),
        "row": pa.array(np.arange(count, dtype=np.int32)),
        "line": pa.array(records.lines),
        "time_local": times,
        "cells": rows_of(records.columns),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in ROWSET_ROWS.names], schema=ROWSET_ROWS)
