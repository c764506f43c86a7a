"""Tables from rows of Python values and back, of the types that the tables of agtrace have.

pyarrow's own ways from Python values (``pa.array``, ``pa.scalar``, ``from_pylist``, ``empty_table``,
kernels given a number), to numpy, and to times with a zone import pandas first, to ask whether a value is one
of its objects: longer than all else that opening a case takes. Here values become buffers, and nothing is
imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa

from agtrace.moments import microseconds
from agtrace.tables.values import values_of

_NUMBERS = {pa.int32(): np.int32, pa.int64(): np.int64, pa.float64(): np.float64}


def table_of(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return rows as a table.

    Parameters
    ----------
    rows
        Values by column; a column that a row lacks is NULL, what the schema does not have is left out.
    schema
        Columns of 32 and 64 bit integers, decimals without places, doubles, booleans, text, times in
        microseconds, and of lists, structures and maps of these.

    Returns
    -------
    pyarrow.Table
        As many rows, exactly this schema.

    Raises
    ------
    TypeError
        The schema has another type, or a value is not of its column's type.
    """
    columns = [array_of([row.get(each.name) for row in rows], each.type) for each in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def no_rows(schema: pa.Schema) -> pa.Table:
    """Return a table without rows, of a schema of any types."""
    return pa.Table.from_batches([], schema=schema)


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    """Return a table as rows, as ``to_pylist`` does; times with a zone are in UTC."""
    columns = [values_of(column) for column in table.columns]
    return [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]


def in_utc(value: Any) -> Any:
    """Return a value of a query with the times in it in UTC; naive ones stay as they are."""
    if isinstance(value, datetime):
        return value if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, list):
        return [in_utc(item) for item in value]
    if isinstance(value, dict):
        return {key: in_utc(item) for key, item in value.items()}
    return value


def numbers(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Return a column of numbers for numpy, NaN for NULL.

    Raises
    ------
    KeyError
        The column is not of 32 or 64 bit integers or doubles.
    """
    if isinstance(column, pa.Array):
        return _numbers(column)
    found = [_numbers(chunk) for chunk in column.chunks]
    return np.concatenate(found) if found else np.empty(0, _NUMBERS[column.type])


def text_column(column: tuple[bytes, bytes, bytes], rows: int) -> pa.Array:
    """Return a column of texts from its offsets, its UTF-8 and its mask of non-NULL values."""
    if not rows:
        return array_of([], pa.string())
    offsets, text, valid = map(pa.py_buffer, column)
    return pa.Array.from_buffers(pa.string(), rows, [valid, offsets, text])


def array_from(values: np.ndarray, kind: pa.DataType) -> pa.Array:
    """Return numbers, none of them NULL, as an array of a type of `numbers`, without a copy where that is
    theirs.
    """
    filled = np.ascontiguousarray(values, _NUMBERS[kind])
    return pa.Array.from_buffers(kind, len(filled), [None, _buffer(filled)])


def scalar_of(value: Any, kind: pa.DataType) -> pa.Scalar:
    """Return a value for Arrow's kernels."""
    return array_of([value], kind)[0]


def flags(column: pa.Array) -> np.ndarray:
    """Return a column of booleans, none of them NULL, for numpy."""
    _validity, data = column.buffers()
    part = slice(column.offset, column.offset + len(column))
    return np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")[part].astype(bool)


def array_of(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return values, None for NULL, as an array of a type of `table_of`.

    Raises
    ------
    TypeError
        The type is another one, or a value is not of it.
    """
    known = np.fromiter((value is not None for value in values), bool, len(values))
    validity = None if known.all() else _bits(known)

    def made(*buffers: pa.Buffer, children: list[pa.Array] | None = None) -> pa.Array:
        return pa.Array.from_buffers(kind, len(values), [validity, *buffers], children=children)

    if kind in _NUMBERS:
        filled = [0 if value is None else value for value in values]
        return made(_buffer(np.array(filled, _NUMBERS[kind])))
    if pa.types.is_boolean(kind):
        return made(_bits(np.fromiter(map(bool, values), bool, len(values))))
    if pa.types.is_decimal128(kind) and kind.scale == 0:
        whole = (int(value or 0).to_bytes(16, "little", signed=True) for value in values)
        return made(pa.py_buffer(b"".join(whole)))
    if pa.types.is_timestamp(kind) and kind.unit == "us":
        return made(_buffer(np.array([_moment(value) for value in values], np.int64)))
    if pa.types.is_string(kind):
        texts = [b"" if value is None else value.encode() for value in values]
        return made(_offsets(texts), pa.py_buffer(b"".join(texts)))
    if pa.types.is_map(kind):
        pairs = [() if value is None else list(_pairs(value)) for value in values]
        flat = [{"key": key, "value": item} for each in pairs for key, item in each]
        inner = pa.struct(
            [pa.field("key", kind.key_type, nullable=False), kind.item_field.with_name("value")]
        )
        return made(_offsets(pairs), children=[array_of(flat, inner)])
    if pa.types.is_list(kind):
        lists = [() if value is None else value for value in values]
        flat = [item for each in lists for item in each]
        return made(_offsets(lists), children=[array_of(flat, kind.value_type)])
    if pa.types.is_struct(kind):
        parts = [{} if value is None else value for value in values]
        children = [array_of([part.get(each.name) for part in parts], each.type) for each in kind]
        return made(children=children)
    raise TypeError(f"no table of agtrace has columns of the type {kind}")


def _buffer(values: np.ndarray) -> pa.Buffer:
    return pa.py_buffer(values)


def _bits(flags: np.ndarray) -> pa.Buffer:
    return _buffer(np.packbits(flags, bitorder="little"))


def _offsets(items: Sequence[Any]) -> pa.Buffer:
    return _buffer(np.cumsum([0, *map(len, items)]).astype(np.int32))


def _pairs(value: Any) -> Any:
    return value.items() if isinstance(value, Mapping) else value


def _moment(time: datetime | int | None) -> int:
    """Return a time since 1970; one without a zone as it is written, a number as it is."""
    return time or 0 if time is None or isinstance(time, int) else microseconds(time)


def _numbers(chunk: pa.Array) -> np.ndarray:
    validity, data = chunk.buffers()
    part = slice(chunk.offset, chunk.offset + len(chunk))
    values = (
        np.frombuffer(data, _NUMBERS[chunk.type])[part] if len(chunk) else np.empty(0, _NUMBERS[chunk.type])
    )
    if not chunk.null_count:
        return values
    known = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")[part]
    return np.where(known == 1, values, np.nan)
