"""Columns of Arrow tables as SQL declares them."""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa

from agtrace.store.quoting import identifier

_TYPES = {
    pa.bool_(): "BOOLEAN",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
    pa.timestamp("us"): "TIMESTAMP",
    pa.timestamp("us", "UTC"): "TIMESTAMPTZ",
}


@lru_cache(256)
def declared(schema: pa.Schema) -> str:
    """Return the columns of a schema for CREATE TABLE.

    Raises
    ------
    TypeError
        A column has a type that no table of agtrace has.
    """
    return ", ".join(f"{identifier(each.name)} {sql_type(each.type)}" for each in schema)


def sql_type(kind: pa.DataType) -> str:
    """Name a type as SQL does.

    Raises
    ------
    TypeError
        No table of agtrace has columns of it.
    """
    if kind in _TYPES:
        return _TYPES[kind]
    if pa.types.is_decimal128(kind):
        return f"DECIMAL({kind.precision},{kind.scale})"
    if pa.types.is_list(kind):
        return f"{sql_type(kind.value_type)}[]"
    if pa.types.is_map(kind):
        return f"MAP({sql_type(kind.key_type)}, {sql_type(kind.item_type)})"
    if pa.types.is_struct(kind):
        return f"STRUCT({declared(pa.schema(list(kind)))})"
    raise TypeError(f"no table of agtrace has columns of the type {kind}")
