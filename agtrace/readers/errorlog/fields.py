"""Columns of field values to the map column of the messages table."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from agtrace.tables import FIELDS
from agtrace.tables import kernels as pc
from agtrace.tables.rows import array_from, array_of, flags, scalar_of

Columns = dict[str, pa.Array]


def fields_map(columns: Columns, rows: int) -> pa.MapArray:
    """Turn a column per field into one map per row; empty and missing values are left out."""
    names = list(columns)
    if not names or not rows:
        return pa.MapArray.from_arrays(
            _numbers(np.zeros(rows + 1)), array_of([], pa.string()), array_of([], pa.string())
        ).cast(FIELDS)
    order = _numbers(np.arange(rows * len(names)).reshape(len(names), rows).T.ravel())
    items = pa.concat_arrays([column.cast(pa.string()) for column in columns.values()]).take(order)
    keys = array_of(names, pa.string()).take(_numbers(np.tile(np.arange(len(names)), rows)))
    # NULL is not chosen either.
    present = pc.and_kleene(pc.is_valid(items), pc.not_equal(items, scalar_of("", pa.string())))
    counts = flags(present).reshape(rows, len(names)).sum(axis=1)
    offsets = np.zeros(rows + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.MapArray.from_arrays(_numbers(offsets), keys.filter(present), items.filter(present))


def constant(text: str, rows: int) -> pa.Array:
    """Return a column with the same value in every row."""
    return array_of([text], pa.string()).take(_numbers(np.zeros(rows)))


def _numbers(values: np.ndarray) -> pa.Array:
    return array_from(values, pa.int32())
