"""Asks the query of a question over some tables, as literal rows."""

from __future__ import annotations

from importlib import resources
from types import ModuleType
from typing import Any

import duckdb
import pyarrow as pa

from agtrace import measure
from agtrace.tables.records import R


def ask(
    question: ModuleType,
    query: str,
    asked: dict[str, Any] | None = None,
    scratch: dict[str, list[dict[str, Any]]] | None = None,
    measured: str = "",
    **tables: Any,
) -> list[dict[str, Any]]:
    """Return the rows of a query of a question over tables, each a list of rows or an Arrow table.

    Those of ``scratch`` are in the schema of that name, as an earlier query would have made them; the
    script of `agtrace.measure` that ``measured`` names is run first.
    """
    text = _text(question, query)
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        for name, rows in tables.items():
            connection.register(name, pa.Table.from_pylist(rows) if isinstance(rows, list) else rows)
        connection.execute("create schema scratch")
        for name, rows in (scratch or {}).items():
            connection.register("given", pa.Table.from_pylist(rows))
            connection.execute(f"create table scratch.{name} as from given")
        if measured:
            connection.execute(_text(measure, measured))
        return connection.sql(text, params=asked).to_arrow_table().to_pylist()


def _text(of: ModuleType, script: str) -> str:
    return (resources.files(of) / f"{script}.sql").read_text(encoding="utf-8")


def record(kind: type[R], /, **values: Any) -> R:
    """Return a record of a question with these values; its other fields are None."""
    return kind(**dict.fromkeys(kind._fields) | values)
