"""Heads and rows of tables that were read as columns, as Arrow batches."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from agtrace.readers.query_results.layouts.separated import rows_of
from agtrace.readers.query_results.layouts.table import Header, Records
from agtrace.tables import ROWSET_HEADS, ROWSET_ROWS


def head_of(number: int, header: Header) -> pa.RecordBatch:
    """Return the head of a table as a row of ``rowset_heads``."""
    row = {"rowset": number, "name": None, "line": header.line, "time_local": None, "columns": header.columns}
    return pa.RecordBatch.from_pylist([row], schema=ROWSET_HEADS)


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
