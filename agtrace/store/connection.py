"""Connections to DuckDB: the only place where one is made."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from agtrace import memory, threads
from agtrace.errors import CaseError, StoreError
from agtrace.store.parquet import pattern
from agtrace.store.quoting import literal

if TYPE_CHECKING:
    import duckdb

OTHER_FILES = 256
"""Number of files that a process has open apart from the store: libraries, sockets of a kernel."""


PLANNED_WITH = frozenset(
    (
        "build_side_probe_side",
        "deliminator",
        "expression_rewriter",
        "filter_pullup",
        "filter_pushdown",
        "join_order",
        "row_group_pruner",
        "top_n",
        "unused_columns",
    )
)
"""Optimizers that pay where there are few rows. The other three dozen take as long as running a query."""


def connect(spill: Path, *, few_rows: bool = False) -> duckdb.DuckDBPyConnection:
    """Connect to an empty database in memory, with the settings that all of agtrace uses.

    Parameters
    ----------
    spill
        Folder for data that does not fit in memory; created on demand.
    few_rows
        Whether planning queries and handing them to threads takes longer than running them.
    """
    import duckdb

    held = memory.for_queries()
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": f"{held // memory.MB}MiB",
            "threads": 1 if few_rows else max(1, min(threads.most(), held // memory.THREAD)),
            "temp_directory": str(spill),
            # Extensions are downloaded at run time; nothing here may need the network.
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        },
    )
    # For every cursor of it, too.
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    # It would be drawn on the standard output of who waits for long, amid what they print. A notebook
    # that has nothing to draw it with does not even let it be turned off.
    with contextlib.suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    # DuckDB's row estimate may be far too low; a loop join would then compare every row with every other.
    connection.execute("SET GLOBAL asof_loop_join_threshold = 0")
    connection.execute("CREATE SCHEMA scratch")
    if few_rows:
        # Their names are those of the version that is installed.
        named = connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()
        others = ",".join(name for (name,) in named if name not in PLANNED_WITH)
        connection.execute(f"SET disabled_optimizers = '{others}'")
    return connection


def check_process(made_in: int) -> None:
    """Check that a connection is used in the process that made it: in one forked from it, it would hang.

    Parameters
    ----------
    made_in
        Number of that process.

    Raises
    ------
    StoreError
        This is another process.
    """
    if os.getpid() != made_in:
        raise StoreError(
            "the case was opened in the process that this one was forked from",
            "open it here, or pass it as an argument: it is then opened once more, by its path",
        )


def confine(connection: duckdb.DuckDBPyConnection, *folders: Path) -> None:
    """Close a connection to everything outside of some folders, for good."""
    # Files are named by patterns, and it is those that are held against the folders.
    names = {text: None for path in folders for text in (str(path.absolute()), pattern(path))}
    listed = ", ".join(map(literal, names))
    connection.execute(f"SET allowed_directories = [{listed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def asked(sql: Callable[[str], duckdb.DuckDBPyRelation], query: str) -> pa.RecordBatchReader:
    """Run one query of a user, and stream its rows.

    Parameters
    ----------
    sql
        Returns a query as a relation, and raises if it would write.
    query
        The query.

    Raises
    ------
    CaseError
        The text is not one query, would write, or is invalid; the message is DuckDB's.
    """
    import duckdb

    try:
        rows = sql(query)
        if rows is None:
            raise CaseError("the query gives no rows", "ask with a SELECT")
        return pa.RecordBatchReader.from_stream(rows)
    except duckdb.IOException:
        raise
    except duckdb.Error as error:
        if type(error).__name__ == "InterruptException":
            raise
        raise CaseError(f"the query: {' '.join(str(error).split())}") from error


def allow_files(count: int) -> None:
    """Raise this process's limit of open files if a query over all captures would exceed it.

    DuckDB keeps the files of a query open; the default limit of many systems is 1,024, but can be raised.
    """
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * count + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
