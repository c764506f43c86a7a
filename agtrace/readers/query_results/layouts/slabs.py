"""Heads and rows of rowsets as Arrow batches, made of the decoder's columns without touching cells."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, ROWSET_HEADS, ROWSET_ROWS
from agtrace.tables.rows import array_of


def heads(slab: Any) -> pa.RecordBatch:
    """Return the heads of a `xelib.rowsets.Slab` as rows of ``rowset_heads``."""
    names = _texts(slab.rows, slab.name_offsets, slab.name_bytes, slab.name_valid)
    columns = {"rowset": _ints(slab.rowset), "name": names, **_place(slab), "columns": _lists(slab)}
    return pa.RecordBatch.from_arrays([columns[name] for name in ROWSET_HEADS.names], schema=ROWSET_HEADS)


def rows(slab: Any) -> pa.RecordBatch:
    """Return the rows of a `xelib.rowsets.Slab` as rows of ``rowset_rows``."""
    columns = {"rowset": _ints(slab.rowset), "row": _ints(slab.row), **_place(slab), "cells": _lists(slab)}
    return pa.RecordBatch.from_arrays([columns[name] for name in ROWSET_ROWS.names], schema=ROWSET_ROWS)


def offsets(slab: Any) -> pa.Array:
    """Return the offset of each head's or row's line, in the decoder's measure."""
    return _longs(slab.offset, pa.int64())


def _place(slab: Any) -> dict[str, pa.Array]:
    valid = pa.py_buffer(slab.time_valid)
    count = len(slab.time) // 8
    times = pa.Array.from_buffers(LOCAL_TIME, count, [valid, pa.py_buffer(slab.time)])
    return {"line": _longs(slab.line, pa.int64()), "time_local": times}


def _ints(data: bytes) -> pa.Array:
    return pa.Array.from_buffers(pa.int32(), len(data) // 4, [None, pa.py_buffer(data)])


def _longs(data: bytes, kind: pa.DataType) -> pa.Array:
    return pa.Array.from_buffers(kind, len(data) // 8, [None, pa.py_buffer(data)])


def _texts(count: int, begins: bytes, data: bytes, valid: bytes) -> pa.Array:
    if not count:
        return array_of([], pa.string())
    buffers = [pa.py_buffer(valid), pa.py_buffer(begins), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), count, buffers)


def _lists(slab: Any) -> pa.Array:
    kind = pa.list_(pa.string())
    if not slab.rows:
        return array_of([], kind)
    texts = _texts(slab.texts, slab.text_offsets, slab.text_bytes, slab.text_valid)
    return pa.Array.from_buffers(kind, slab.rows, [None, pa.py_buffer(slab.begins)], children=[texts])
