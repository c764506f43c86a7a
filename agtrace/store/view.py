"""An opened case in DuckDB: the only place where a connection is made."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from agtrace.tables import CONTENT_TABLES

if TYPE_CHECKING:
    import duckdb

MEMORY_LIMIT = "2GB"
VIEWS = Path(__file__).with_name("views.sql")


class CaseView:
    """The relations of docs/store.md over an explicit list of files: a snapshot for its life.

    Parameters
    ----------
    files
        Parquet files by content table.
    resolved
        The tables captures, hosts, host_names, clocks, skew and runs.
    settings
        Thresholds and other settings of the case, for diagnostics.
    """

    def __init__(
        self,
        files: dict[str, list[Path]],
        resolved: dict[str, pa.Table],
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.settings = settings or {}
        self.connection = _connect()
        for name, table in resolved.items():
            self.connection.register("incoming", table)
            self.connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM incoming')
            self.connection.unregister("incoming")
        for name, schema in CONTENT_TABLES.items():
            self._add_raw(name, schema, files.get(name, []))
        self.connection.execute(VIEWS.read_text(encoding="utf-8"))

    def _add_raw(self, name: str, schema: pa.Schema, paths: list[Path]) -> None:
        if paths:
            listed = ", ".join(_quoted(str(path)) for path in paths)
            source = f"read_parquet([{listed}], union_by_name = true)"
            self.connection.execute(f'CREATE VIEW "raw_{name}" AS SELECT * FROM {source}')
        else:
            fields = [pa.field("content_id", pa.string()), *schema]
            self.connection.register("incoming", pa.schema(fields).empty_table())
            self.connection.execute(f'CREATE TABLE "raw_{name}" AS SELECT * FROM incoming')
            self.connection.unregister("incoming")

    def sql(self, query: str, parameters: dict[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Give a query as a lazy DuckDB relation."""
        return self.connection.sql(query, params=parameters)

    def table(self, query: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        """Run a query with ``$name`` parameters and give its result as an Arrow table."""
        return self.connection.sql(query, params=parameters or {}).to_arrow_table()

    def run(self, script: str, parameters: dict[str, Any] | None = None) -> None:
        """Run a script of statements."""
        self.connection.execute(script, parameters or {})

    def close(self) -> None:
        """Give the connection up."""
        self.connection.close()


def _connect() -> duckdb.DuckDBPyConnection:
    import duckdb

    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": MEMORY_LIMIT,
            "threads": os.cpu_count() or 1,
            "temp_directory": str(Path(tempfile.gettempdir()) / "agtrace-spill"),
            # Extensions are downloaded at run time; nothing here may need the network.
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        },
    )
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
