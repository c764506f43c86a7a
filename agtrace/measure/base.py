"""What everything above the store reads a case through."""

from __future__ import annotations

from typing import Any, Protocol

import pyarrow as pa


class View(Protocol):
    """The tables of an opened case, as DuckDB views (docs/store.md lists their columns)."""

    settings: dict[str, Any]

    def table(self, query: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        """Run a query with ``$name`` parameters and give its result as an Arrow table."""

    def run(self, script: str, parameters: dict[str, Any] | None = None) -> None:
        """Run a script of statements that fill tables of the schema ``scratch``."""
