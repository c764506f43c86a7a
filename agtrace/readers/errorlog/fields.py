"""Columns of field values to the map column of the messages table."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from agtrace.tables import FIELDS
from agtrace.tables import kernels as pc

Columns = dict[str, pa.Array]


def fields_map(columns: Columns, rows: int) -> pa.MapArray:
    """Turn a column per field into one map per row; empty and missing values are left out."""
    names = list(columns)
    if not names or not rows:
        return pa.MapArray.from_arrays(
            pa.array(np.zeros(rows + 1, np.int32)), pa.array([], pa.string()), pa.array([], pa.string())
        ).cast(FIELDS)
    order = pa.array(np.arange(rows * len(names)).reshape(len(names), rows).T.ravel())
    items = pa.concat_arrays([column.cast(pa.string()) for column in columns.values()]).take(order)
    keys = pa.array(names).take(pa.array(np.tile(np.arange(len(names)), rows)))
    present = pc.fill_null(pc.not_equal(items, ""), False)
    counts = present.to_numpy(zero_copy_only=False).reshape(rows, len(names)).sum(axis=1)
    offsets = np.zeros(rows + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.MapArray.from_arrays(pa.array(offsets), keys.filter(present), items.filter(present))


def constant(text: str, rows: int) -> pa.Array:
    """Return a column with the same value in every row."""
    return pa.array([text]).take(pa.array(np.zeros(rows, np.int32)))
