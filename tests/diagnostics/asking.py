"""Asks a query over some tables, as literal rows."""

from __future__ import annotations

from importlib import resources
from types import ModuleType
from typing import Any

import duckdb
import pyarrow as pa

from agtrace.tables.records import R


def ask(
    question: ModuleType, query: str, asked: dict[str, Any] | None = None, **tables: Any
) -> list[dict[str, Any]]:
    """Return the rows of a query beside a module over tables, each a list of rows or an Arrow table."""
    text = (resources.files(question) / f"{query}.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        for name, rows in tables.items():
            connection.register(name, pa.Table.from_pylist(rows) if isinstance(rows, list) else rows)
        return connection.sql(text, params=asked).to_arrow_table().to_pylist()


def record(kind: type[R], /, **values: Any) -> R:
    """Return a record of a question with these values; its other fields are None."""
    return kind(**dict.fromkeys(kind._fields) | values)
