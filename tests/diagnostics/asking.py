"""Asks the query of a question over some tables, as literal rows."""

from __future__ import annotations

from importlib import resources
from types import ModuleType
from typing import Any

import duckdb
import pyarrow as pa


def ask(
    question: ModuleType,
    query: str,
    asked: dict[str, Any] | None = None,
    scratch: dict[str, list[dict[str, Any]]] | None = None,
    **tables: Any,
) -> list[dict[str, Any]]:
    """Give the rows of a query of a question over tables, each a list of rows or an Arrow table.

    Those of ``scratch`` are in the schema of that name, as an earlier query would have made them.
    """
    text = (resources.files(question) / f"{query}.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        for name, rows in tables.items():
            connection.register(name, pa.Table.from_pylist(rows) if isinstance(rows, list) else rows)
        connection.execute("create schema scratch")
        for name, rows in (scratch or {}).items():
            connection.register("given", pa.Table.from_pylist(rows))
            connection.execute(f"create table scratch.{name} as from given")
        return connection.sql(text, params=asked).to_arrow_table().to_pylist()
