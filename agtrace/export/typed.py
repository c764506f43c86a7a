"""Tables as Parquet files, for programs: with types, and with text unchanged."""

from __future__ import annotations

from decimal import Decimal
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from agtrace.export.cells import cell
from agtrace.export.contents import Table

ROWS = 50_000
"""Number of rows in memory at a time; the first of these batches determines the types."""


def write_parquet(path: Path, table: Table) -> None:
    """Write a table; numbers and times keep their types, lists and structs become JSON.

    A column of several types, or one without values in the first rows, becomes text.
    """
    rows = iter(table.rows)
    schema: pa.Schema | None = None
    with path.open("wb") as file:
        writer = None
        while (part := list(islice(rows, ROWS))) or schema is None:
            columns = [[_value(row[place]) for row in part] for place in range(len(table.columns))]
            if schema is None:
                names = zip(table.columns, columns, strict=True)
                schema = pa.schema([(name, _type(values)) for name, values in names])
                writer = pq.ParquetWriter(file, schema, compression="zstd")
            arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
            if writer is not None:
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            if not part:
                break
        if writer is not None:
            writer.close()


def _value(value: object) -> object:
    # A column has one type: decimals become doubles, even integral ones.
    return float(value) if isinstance(value, Decimal) else cell(value)


def _type(values: list[object]) -> pa.DataType:
    try:
        found = pa.array(values).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.string()
    return pa.string() if pa.types.is_null(found) else found


def _array(values: list[object], kind: pa.DataType) -> pa.Array:
    if pa.types.is_string(kind):
        return pa.array([None if value is None else _text(value) for value in values], kind)
    return pa.array(values, kind)


def _text(value: object) -> str:
    text = value if isinstance(value, str) else str(value)
    return text.encode("utf-8", "backslashreplace").decode()
