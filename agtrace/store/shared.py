"""One database for several cases: each has its own catalogue, and a query may use all of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.store.connection import check_process, confine, connect
from agtrace.store.quoting import identifier
from agtrace.store.scratch import remove_abandoned, unused

if TYPE_CHECKING:
    import duckdb


class Shared:
    """A database in memory that contains the relations of several cases.

    Parameters
    ----------
    few_rows
        As in `agtrace.store.connection.connect`, for all cases together.
    """

    def __init__(self, *, few_rows: bool) -> None:
        remove_abandoned()
        self._spill = unused("spill")
        self._stores: list[Path] = []
        self._joined = 0
        self._process = os.getpid()
        self._connection = connect(self._spill, few_rows=few_rows)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection to the database.

        Raises
        ------
        StoreError
            This process was forked from the one that made it.
        """
        check_process(self._process)
        return self._connection

    def close(self) -> None:
        """Close the database. In a forked process it does nothing."""
        if self._process == os.getpid():
            self._connection.close()

    def join(self, store: Path | None) -> Catalogue:
        """Make room for a case, whose store may be read once all have come."""
        self._joined += 1
        if store is not None:
            self._stores.append(store)
        catalogue = Catalogue(self, f"case_{self._joined}")
        self.connection.execute(f"ATTACH ':memory:' AS {identifier(catalogue.name)}")
        connection = catalogue.cursor()
        connection.execute("CREATE SCHEMA scratch")
        return catalogue

    def lock(self) -> None:
        """Close it to everything outside of the stores, for good."""
        confine(self.connection, *self._stores, self._spill)


class Catalogue:
    """The room of one case in a shared database.

    Parameters
    ----------
    shared
        The database.
    name
        What the room is called in queries over all of it.
    """

    def __init__(self, shared: Shared, name: str) -> None:
        self._shared = shared
        self.name = name

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection on which unqualified names are those of this case."""
        cursor = self._shared.connection.cursor()
        cursor.execute(f"USE {identifier(self.name)}")
        return cursor
