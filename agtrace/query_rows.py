"""Rows of a query as values that CSV and JSON have."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agtrace import strict_json

if TYPE_CHECKING:
    import pyarrow as pa


def records(rows: pa.RecordBatchReader) -> Iterator[dict[str, Any]]:
    """Yield rows by column, each under a name of its own; maps with text as keys are dictionaries."""
    names = _unique(rows.schema.names)
    maps = _maps(names, rows.schema)
    for row in values(rows):
        record = dict(zip(names, row, strict=True))
        yield record | {name: dict(record[name]) for name in maps if record[name] is not None}


def values(rows: pa.RecordBatchReader) -> Iterator[list[Any]]:
    """Yield rows as lists of Python values."""
    for batch in rows:
        yield from map(list, zip(*(column.to_pylist() for column in batch.columns), strict=True))


def exact(value: Any) -> Any:
    """Return a value for CSV, without rounding."""
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | dict | tuple):
        return strict_json.dumps(value, ensure_ascii=False, default=exact)
    return value


def _unique(names: list[str]) -> list[str]:
    """Make column names unique, as DuckDB's frames do: a, a_1."""
    found: list[str] = []
    for name in names:
        n, free = 0, name
        while free in found:
            n += 1
            free = f"{name}_{n}"
        found.append(free)
    return found


def _maps(names: list[str], schema: pa.Schema) -> list[str]:
    import pyarrow as pa

    return [
        name
        for name, field in zip(names, schema, strict=True)
        if pa.types.is_map(field.type) and pa.types.is_string(field.type.key_type)
    ]


def json_value(value: Any) -> Any:
    """Return a value that JSON does not have as one that it has; decimals become whole numbers or doubles."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    plain = exact(value)
    return str(value) if plain is value else plain
