"""Columns of Arrow tables as SQL declares them."""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa

from agtrace.store.events import identifier

_TYPES = {
    pa.bool_(): "BOOLEAN",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
    pa.timestamp("us"): "TIMESTAMP",
    pa.timestamp("us", "UTC"): "TIMESTAMP WITH TIME ZONE",
}


@lru_cache(256)
def declared(schema: pa.Schema) -> str:
    """Give the columns of a schema for CREATE TABLE.

    Raises
    ------
    TypeError
        A column has a type that no table of agtrace has.
    """
    return ", ".join(f"{identifier(each.name)} {_type(each.type)}" for each in schema)


def _type(kind: pa.DataType) -> str:
    if kind in _TYPES:
        return _TYPES[kind]
    if pa.types.is_decimal128(kind):
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if pa.types.is_list(kind):
        return f"{_type(kind.value_type)}[]"
    if pa.types.is_map(kind):
        return f"MAP({_type(kind.key_type)}, {_type(kind.item_type)})"
    if pa.types.is_struct(kind):
        return f"STRUCT({declared(pa.schema(list(kind)))})"
    raise TypeError(f"no table of agtrace has columns of the type {kind}")
