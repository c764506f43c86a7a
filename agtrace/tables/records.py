"""Records: rows of a query as NamedTuples, whose fields are the columns by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

import pyarrow as pa

from agtrace.tables.values import values_of

R = TypeVar("R", bound=tuple[Any, ...])


@cache
def maker(kind: type[R], columns: tuple[str, ...]) -> Callable[[tuple[Any, ...]], R]:
    """Return a function that makes a record of a row.

    Parameters
    ----------
    kind
        A NamedTuple; a field that is a record, or a list of records, takes structures: dicts by field.
    columns
        Names of the columns, in the order of a row's values.

    Raises
    ------
    ValueError
        The columns are not the fields of the record.
    """
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    if set(fields) != set(columns) or len(fields) != len(columns):
        differ = sorted(set(fields) ^ set(columns))
        raise ValueError(f"{kind.__name__} has other fields than the query has columns: {', '.join(differ)}")
    make: Callable[[Any], R] = kind._make  # type: ignore[attr-defined]
    nested = {columns.index(name): part for name, part in _nested(kind).items()}
    order = [columns.index(name) for name in fields]
    if not nested and order == list(range(len(order))):
        return make

    def made(row: tuple[Any, ...]) -> R:
        values = [_part(nested[at], row[at]) if at in nested else row[at] for at in order]
        return make(values)

    return made


def records_of(kind: type[R], table: pa.Table) -> list[R]:
    """Return the rows of a table as records; times with a zone are in UTC."""
    columns = [values_of(column) for column in table.columns]
    return [*map(maker(kind, tuple(table.column_names)), zip(*columns, strict=True))]


def record_of(kind: type[R], row: Mapping[str, Any]) -> R:
    """Return the record of a row by column."""
    return maker(kind, tuple(row))(tuple(row.values()))


def _nested(kind: type) -> dict[str, type]:
    """Return the fields that hold records, by name, and of which kind these are."""
    found = {}
    for name, hint in get_type_hints(kind).items():
        for each in (hint, *get_args(hint), *(one for part in get_args(hint) for one in get_args(part))):
            if hasattr(each, "_fields"):
                found[name] = each
    return found


def _part(kind: type, value: Any) -> Any:
    if isinstance(value, list):
        return [_part(kind, each) for each in value]
    if value is None:
        return None
    return record_of(kind, value)
