"""Columns of Arrow tables as Python values.

``to_pylist`` makes an object of Arrow for each value first, which takes several times as long as the value
itself: too long for the tables that are read as a whole, row by row.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

_EPOCH = datetime(1970, 1, 1)
_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBERS = {pa.int32(): np.int32, pa.int64(): np.int64, pa.float64(): np.float64}


def values_of(column: pa.ChunkedArray) -> list[Any]:
    """Return a column as ``to_pylist`` does; times with a zone are in UTC."""
    return [value for chunk in column.chunks for value in _values(chunk)]


def _values(chunk: pa.Array) -> list[Any]:
    kind = chunk.type
    if kind in _NUMBERS:
        return _known(chunk, _buffer(chunk, 1, _NUMBERS[kind]).tolist())
    if pa.types.is_timestamp(kind) and kind.unit == "us":
        epoch = _EPOCH if kind.tz is None else _EPOCH_UTC
        since = _known(chunk, _buffer(chunk, 1, np.int64).tolist())
        return [None if us is None else epoch + timedelta(microseconds=us) for us in since]
    if pa.types.is_string(kind):
        return _known(chunk, _texts(chunk))
    if pa.types.is_list(kind):
        ends = _offsets(chunk)
        items = _values(chunk.values.slice(ends[0], ends[-1] - ends[0])) if len(chunk) else []
        begin = ends[0] if len(chunk) else 0
        return _known(chunk, [items[a - begin : b - begin] for a, b in pairwise(ends)])
    if pa.types.is_struct(kind):
        names = [each.name for each in kind]
        fields = [_values(chunk.field(number)) for number in range(len(names))]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*fields, strict=True)]
        return _known(chunk, rows)
    return list(chunk.to_pylist())


def _texts(chunk: pa.Array) -> list[str]:
    ends = _offsets(chunk)
    data = chunk.buffers()[2]
    if data is None or not len(chunk):
        return [""] * len(chunk)
    whole = data.to_pybytes() if not ends[0] else memoryview(data)[: ends[-1]].tobytes()
    if whole.isascii():
        text = whole.decode("ascii")
        return [text[a:b] for a, b in pairwise(ends)]
    return [whole[a:b].decode() for a, b in pairwise(ends)]


def _offsets(chunk: pa.Array) -> list[int]:
    ends = np.frombuffer(chunk.buffers()[1] or b"", np.int32)
    return list(ends[chunk.offset : chunk.offset + len(chunk) + 1].tolist())


def _buffer(chunk: pa.Array, place: int, kind: type) -> np.ndarray:
    data = chunk.buffers()[place]
    if data is None:
        return np.zeros(len(chunk), kind)
    return np.frombuffer(data, kind)[chunk.offset : chunk.offset + len(chunk)]


def _known(chunk: pa.Array, values: list[Any]) -> list[Any]:
    """Return values with None where the column has NULL."""
    if not chunk.null_count:
        return values
    bits = np.frombuffer(chunk.buffers()[0], np.uint8)
    known = np.unpackbits(bits, bitorder="little")[chunk.offset : chunk.offset + len(chunk)]
    return [value if is_known else None for value, is_known in zip(values, known.tolist(), strict=True)]
