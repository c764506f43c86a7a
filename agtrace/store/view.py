"""An opened case in DuckDB."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np
import pyarrow as pa

from agtrace.errors import MORE_FILES, RelationError, StoreError, is_exhausted
from agtrace.store import parquet
from agtrace.store.columns import declared
from agtrace.store.connection import allow_files, check_process, confine, connect
from agtrace.store.events import PREFIX, event_view
from agtrace.store.given import GivenSettings
from agtrace.store.naming import named
from agtrace.store.quoting import identifier, literal
from agtrace.store.read_only import check_reads
from agtrace.store.records import PartFile
from agtrace.store.scratch import remove_abandoned, unused
from agtrace.tables import CONTENT_TABLES, ISSUES
from agtrace.tables.records import R, maker
from agtrace.tables.rows import in_utc, no_rows, numbers

if TYPE_CHECKING:
    import duckdb

    from agtrace.store.shared import Shared


@dataclass(frozen=True)
class Query:
    """A relation that is a query, evaluated on each use: SQL without parameters.

    Parameters
    ----------
    sql
        The query.
    is_kept
        Whether its rows are computed once and stored, as those of other relations, without passing through
        memory.
    """

    sql: str
    is_kept: bool = False


Offer = Callable[[], Mapping[str, "pa.Table | Path | Query"]]
"""Computes some relations when one of them is asked for: rows, the Parquet file that holds them, or a
query over others."""


FEW_ROWS = 500_000
"""DuckDB divides tables among threads by 122,880 rows; handing fewer around takes longer than they do."""

SMALL_FILE = 100_000
"""Relations in smaller files, bytes, are read once: a view is planned from its file with every query."""

VIEWS = Path(__file__).with_name("views.sql")
MOST_PARSED = 1_000
_PARSED: dict[str, tuple[duckdb.Statement, ...]] = {}
_COLUMNS: dict[str, str] = {}
"""Cache of the columns, in SQL, of relations that were empty."""


class CaseView:
    """The relations of docs/store.md over a fixed list of files: a snapshot of the case.

    Parameters
    ----------
    files
        Parquet files by content table.
    resolved
        The tables captures, hosts, host_names, clocks, skew and runs.
    settings
        Thresholds and other settings of the case, for diagnostics.
    store
        The store's folder; after `lock`, no file outside it can be read or written.
    rows
        Content tables in memory instead of files, by name.
    within
        The database that it shares with other cases; None for its own.
    """

    def __init__(
        self,
        files: dict[str, list[tuple[Path, PartFile]]],
        resolved: dict[str, pa.Table],
        settings: dict[str, Any] | None = None,
        store: Path | None = None,
        rows: dict[str, pa.Table] | None = None,
        within: Shared | None = None,
    ) -> None:
        self.settings = settings or {}
        self.given: GivenSettings | None = None
        """Settings of the case to report; None if no settings are in force."""
        self.events: set[str] = set()
        """Names of the event views."""
        self.filled = frozenset(files) | frozenset(name for name, r in (rows or {}).items() if len(r))
        """Content tables of which some capture gave rows."""
        self.empty: set[str] = set()
        """Relations that are tables without rows in place of views."""
        self._fields: dict[str, frozenset[str]] = {}
        self._has_rows: dict[str, bool] = {}
        self._offered: dict[str, Offer] = {}
        self._held: set[str] = set()
        remove_abandoned()
        self._spill = unused("spill")
        self._store = store
        self._files = [path for listed in files.values() for path, _file in listed]
        allow_files(len(self._files))
        self._room = within.join(store) if within else None
        self._process = os.getpid()
        self._connection = (
            self._room.cursor() if self._room else connect(self._spill, few_rows=_rows(resolved) < FEW_ROWS)
        )
        self._turn = RLock()
        self._cursors: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()
        for name, table in resolved.items():
            self._add(name, table)
        for name, schema in CONTENT_TABLES.items():
            if rows and name in rows:
                self._add(f"raw_{name}", rows[name])
            else:
                self._add_raw(name, schema, files.get(name, []))
        self._add("drifts", no_rows(ISSUES))
        with self._told():
            for statement in self._parsed(VIEWS.read_text(encoding="utf-8")):
                self._show(statement)
        for table, listed in files.items():
            if table.startswith(PREFIX):
                self._add_events(table, listed)

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

    @property
    def turn(self) -> RLock:
        """Lock of the connection; queries through `sql` have their own cursors."""
        # A lock that another thread held when the process was forked is never given back.
        check_process(self._process)
        return self._turn

    def _add_raw(self, name: str, schema: pa.Schema, files: list[tuple[Path, PartFile]]) -> None:
        import duckdb

        paths = [path for path, _file in files]
        if paths:
            layouts = {file.layout for _path, file in files}
            # Matching columns by name opens every file, for each query anew.
            source = parquet.source(paths, union_by_name=len(layouts) > 1 or "" in layouts)
            try:
                self.connection.execute(f'CREATE VIEW "raw_{name}" AS SELECT * FROM {source}')
            except duckdb.Error as error:
                raise _unreadable(paths, error) from error
        else:
            fields = [pa.field("content_id", pa.string()), *schema]
            self._add(f"raw_{name}", no_rows(pa.schema(fields)))

    def _add(self, name: str, table: pa.Table) -> None:
        enums = _as_enums(table)
        if not table.num_rows and not enums:
            # From Arrow it takes ten times as long.
            self._execute(f'CREATE TABLE "{name}" ({declared(table.schema)})')
            return
        self.connection.register("incoming", table)
        self.connection.execute(f'CREATE TABLE "{name}" AS SELECT *{enums} FROM incoming')
        self.connection.unregister("incoming")

    def replace(self, name: str, rows: pa.Table) -> None:
        """Replace the rows of a table."""
        self.connection.execute(f"DROP TABLE {identifier(name)}")
        self._add(name, rows)

    def _show(self, statement: duckdb.Statement) -> None:
        """Make one of the relations of views.sql.

        Of a table that no capture gave rows of, it is a table without rows: a view would be planned with
        every query.
        """
        name, sources = _made_from(statement.query)
        is_empty = bool(sources) and sources.isdisjoint(self.filled)
        if is_empty and _COLUMNS.get(name):
            self._execute(f"CREATE TABLE {name} ({_COLUMNS[name]})")
            self.empty.add(name)
            return
        self.connection.execute(statement)
        if is_empty:
            # Asked the second time: who opens one case need not wait for it.
            _COLUMNS[name] = self._columns(name) if name in _COLUMNS else ""

    def _columns(self, name: str) -> str:
        described = self.connection.execute(f"DESCRIBE {name}").fetchall()
        return ", ".join(f"{identifier(row[0])} {row[1]}" for row in described)

    def _add_events(self, table: str, files: list[tuple[Path, PartFile]]) -> None:
        import duckdb

        statement, drifts = event_view(table, files)
        try:
            self.connection.execute(statement)
            self.events.add("events_" + table.removeprefix(PREFIX))
        except duckdb.IOException as error:
            raise _unreadable([path for path, _file in files], error) from error
        except duckdb.Error as error:
            # Names come from captures: two that differ only in case cannot both be columns in SQL.
            drifts = [f"{table}: cannot be shown as a view ({error})"]
        for drift in drifts:
            self.connection.execute(
                "INSERT INTO drifts VALUES (NULL, 'info', 'field_type_drift', $message, 1)",
                {"message": drift},
            )

    @cached_property
    def topics(self) -> frozenset[str]:
        """Topics that some row of messages or facts has."""
        said = [name for name in ("messages", "facts") if name in self.filled]
        queries = [f"SELECT DISTINCT topic FROM raw_{name}" for name in said]
        return frozenset(r["topic"] for r in self.rows(" UNION ".join(queries))) if said else frozenset()

    def fields(self, event: str) -> frozenset[str]:
        """Return the columns of ``events_<event>``; empty if no capture contains such an event."""
        name = f"events_{event}"
        if name not in self.events:
            return frozenset()
        if event not in self._fields:
            rows = f"SELECT * FROM {identifier(name)}"
            with self._told():
                self._fields[event] = frozenset(self.connection.sql(rows).columns)
        return self._fields[event]

    @property
    def offered(self) -> frozenset[str]:
        """Relations that are computed when a query first names them."""
        return frozenset(self._offered)

    def columns(self, relation: str) -> list[str]:
        """Return the columns of a relation."""
        return self.sql(f"SELECT * FROM {identifier(relation)} LIMIT 0").columns

    def has_rows(self, relation: str) -> bool:
        """Return whether a relation of what happened has rows; queried once."""
        if relation not in self._has_rows:
            one = f"SELECT 1 FROM {identifier(relation)} LIMIT 1"
            self.compute(one)
            if relation not in self._has_rows:
                self._has_rows[relation] = bool(self.rows(one))
        return self._has_rows[relation]

    def offer(self, names: tuple[str, ...], make: Offer) -> None:
        """Register relations that are computed when a query first names one of them."""
        self._offered |= dict.fromkeys(names, make)

    def hold(self, *names: str) -> None:
        """Turn views into tables once a query names them: with few rows, planning takes longer than reading,
        and each query would plan again.
        """
        self._held = set(names) - self.empty

    def forget(self, name: str) -> None:
        """Discard a computed relation; it is computed again when it is next named."""
        with self._told():
            self.connection.execute(f"DROP TABLE IF EXISTS {identifier(name)}")
            self._has_rows.pop(name, None)

    @property
    def catalogue(self) -> str:
        """Name of its catalogue in a shared database, or in its own."""
        return self._room.name if self._room else "memory"

    def relations(self) -> list[str]:
        """Return the names of the relations and tables that exist so far."""
        query = """SELECT table_name FROM information_schema.tables
            WHERE table_catalog = $room AND table_schema = 'main'"""
        return [row["table_name"] for row in self.rows(query, {"room": self.catalogue})]

    def compute(self, query: str) -> None:
        """Compute the relations that a query names, for callers that run it in another way."""
        with self._told():
            self._compute(query)

    def compute_all(self) -> None:
        """Compute all offered relations, for queries that use the connection directly.

        Relations that cannot be computed are left out.
        """
        while self._offered:
            name = next(iter(self._offered))
            try:
                self._compute(f"from {identifier(name)}")
            except RelationError:
                del self._offered[name]
                self._has_rows[name] = False

    def lock(self) -> None:
        """Restrict the connection to the store, permanently.

        From then on, no query can read or write other files (COPY, ATTACH, read_text, ...), load an extension
        or change a setting. Temporary files remain possible. A shared database is locked once, when all cases
        are in it.
        """
        if self._room is not None:
            return
        confine(self.connection, *(p for p in (self._store, self._spill) if p is not None))

    def sql(
        self, query: str, parameters: dict[str, Any] | list[Any] | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return a user's query as a lazy DuckDB relation; its rows may be read while others are asked for.

        Raises
        ------
        CaseError
            The query is not one statement that only reads.
        """
        with self._told():
            check_reads(self.connection, query)
            self._compute(query)
            cursor = self._room.cursor() if self._room else self.connection.cursor()
            self._cursors.add(cursor)
            return cursor.sql(query, params=parameters)

    def table(
        self,
        query: str,
        parameters: dict[str, Any] | None = None,
        given: Mapping[str, pa.Table] | None = None,
    ) -> pa.Table:
        """Return the result of a query with ``$name`` parameters as an Arrow table.

        ``given`` holds tables that the query names and that exist for it alone.

        Raises
        ------
        StoreError
            A file of the store is gone, damaged, or cannot be opened.
        """
        with self._told():
            self._compute(query)
            (statement,) = self._parsed(query)
            with self._registered(given or {}):
                return self.connection.sql(statement, params=parameters or {}).to_arrow_table()

    def rows(
        self,
        query: str,
        parameters: dict[str, Any] | None = None,
        given: Mapping[str, pa.Table] | None = None,
    ) -> list[dict[str, Any]]:
        """Return the rows of a query with ``$name`` parameters by column; times are in UTC.

        For few rows: a query is bound once for them, and twice for an Arrow table. ``given``: as in `table`.
        """
        names, found = self._fetched(query, parameters, given)
        return [dict(zip(names, row, strict=True)) for row in found]

    def records(
        self,
        kind: type[R],
        query: str,
        parameters: dict[str, Any] | None = None,
        given: Mapping[str, pa.Table] | None = None,
    ) -> list[R]:
        """Return the rows of a query with ``$name`` parameters as records; times are in UTC.

        Parameters
        ----------
        kind
            A NamedTuple with a field for each column, by name; one of a structure is a record, too.
        given
            As in `table`.

        Raises
        ------
        ValueError
            The columns of the query are not the fields of the record.
        """
        names, found = self._fetched(query, parameters, given)
        return [*map(maker(kind, tuple(names)), found)]

    def _fetched(
        self, query: str, parameters: dict[str, Any] | None, given: Mapping[str, pa.Table] | None
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        with self._told(), self._registered(given or {}):
            self._compute(query)
            (statement,) = self._parsed(query)
            result = self.connection.execute(statement, parameters or {})
            columns = [(name, str(kind)) for name, kind, *_ in result.description]
            found = result.fetchall()
        zoned = [place for place, (_name, kind) in enumerate(columns) if "TIME ZONE" in kind]
        if zoned:
            found = [
                tuple(in_utc(value) if place in zoned else value for place, value in enumerate(row))
                for row in found
            ]
        return [name for name, _kind in columns], found

    @contextlib.contextmanager
    def _registered(self, tables: Mapping[str, pa.Table]) -> Iterator[None]:
        """Register tables for queries meanwhile."""
        try:
            for name, rows in tables.items():
                self.connection.register(name, rows)
            yield
        finally:
            for name in tables:
                self.connection.unregister(name)

    def run(self, script: str, parameters: dict[str, Any] | None = None) -> None:
        """Run a script of statements, each with the parameters that it names; its tables are in the schema
        ``scratch``.
        """
        given = parameters or {}
        with self._told():
            self._compute(script)
            for statement in self._parsed(script):
                used = {name: given[name] for name in statement.named_parameters}
                self.connection.execute(statement, used)

    def write(self, query: str, path: Path) -> None:
        """Write the rows of a query, in their order, to a Parquet file inside of the store.

        Raises
        ------
        StoreError
            The file cannot be written.
        """
        self.run(f"COPY ({query}) TO {literal(str(path.absolute()))} (FORMAT parquet, COMPRESSION zstd)")

    def _parsed(self, script: str) -> tuple[duckdb.Statement, ...]:
        """Take a script apart, once in this process: to parse a query takes a quarter of its time."""
        if script not in _PARSED:
            if len(_PARSED) >= MOST_PARSED:
                _PARSED.clear()
            _PARSED[script] = tuple(self.connection.extract_statements(script))
        return _PARSED[script]

    def _execute(self, statement: str) -> None:
        (parsed,) = self._parsed(statement)
        self.connection.execute(parsed)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Wait for a turn, and say in one line what became of the store under an open case."""
        import duckdb

        try:
            with self.turn:
                yield
        except duckdb.IOException as error:
            raise _unreadable(self._files, error) from error
        except duckdb.ConnectionException as error:
            raise StoreError("the case was closed", "open it again") from error

    def _compute(self, query: str) -> None:
        """Compute the relations that a query names and that were not computed before."""
        for name in named(query, self._held):
            self.connection.execute(
                f"CREATE TABLE held AS FROM {name}; DROP VIEW {name}; ALTER TABLE held RENAME TO {name}"
            )
            self._held.discard(name)
        while wanted := named(query, self._offered):
            make = self._offered[wanted[0]]
            # Remove them first: the code that computes them may use the same names for something else.
            names = [name for name, offer in self._offered.items() if offer is make]
            for name in names:
                del self._offered[name]
            try:
                made = make()
            except BaseException:
                self._offered |= dict.fromkeys(names, make)
                raise
            for name in names:
                self._put(name, made[name])

    def _put(self, name: str, rows: pa.Table | Path | Query) -> None:
        if isinstance(rows, Query):
            # What a store that cannot be written does not keep is still computed once.
            made = "TABLE" if rows.is_kept else "VIEW"
            self.connection.execute(f'CREATE {made} "{name}" AS {rows.sql}')
        elif isinstance(rows, Path):
            source = parquet.source([rows])
            if rows.stat().st_size < SMALL_FILE:
                made = self.connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM {source}').fetchone()
                self._has_rows[name] = bool(made and made[0])
            else:
                self.connection.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {source}')
        else:
            self._add(name, rows)
            self._has_rows[name] = bool(rows.num_rows)

    def interrupt(self) -> None:
        """Stop the queries of users that are running, from another thread."""
        import duckdb

        for each in list(self._cursors):
            with contextlib.suppress(duckdb.Error):
                each.interrupt()

    def close(self) -> None:
        """Close the connection; queries still running on it end. In a forked process it does nothing."""
        import duckdb

        if self._process != os.getpid():
            return
        self.interrupt()
        with contextlib.suppress(duckdb.Error):
            self.connection.interrupt()
        with self.turn:
            for each in (*self._cursors, self.connection):
                # One that another thread reads from is given up with its reader.
                with contextlib.suppress(duckdb.Error):
                    each.close()


def _made_from(statement: str) -> tuple[str, frozenset[str]]:
    """Return the relation that a statement of views.sql creates, and the raw tables of its rows.

    For ``issues`` no raw tables are returned, because it also has rows from other sources.
    """
    (name,) = re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", statement)
    sources = re.findall(r"\braw_(\w+)", statement)
    return name, frozenset(sources if name != "issues" else ())


def _rows(resolved: Mapping[str, pa.Table]) -> int:
    """Count what the captures of a case hold."""
    return int(np.nansum(numbers(resolved["captures"]["rows"])))


def _unreadable(paths: list[Path], error: Exception) -> StoreError:
    """Return the error that a store's files cannot be read (any more), with a remedy."""
    text = " ".join(str(error).split())
    if is_exhausted(error):
        return StoreError("too many files are open", MORE_FILES)
    if "No space left" in text:
        return StoreError(f"the disk is full ({text:.120})", "free some space")
    gone = next((path for path in paths if not path.exists()), None)
    if gone:
        return StoreError(f"{gone}: the store was removed or replaced", "open the case again")
    path = next((p for p in paths if str(p) in text or parquet.pattern(p) in text), None)
    if path is None:
        return StoreError(f"the store cannot be read ({text:.200})")
    return StoreError(
        f"{path}: cannot be read",
        f"if it is damaged, remove the folder {path.parent}; its capture is then read again ({text:.120})",
    )


def _as_enums(table: pa.Table) -> str:
    """Return the REPLACE clause that makes ordered dictionaries ENUMs; DuckDB reads them as text."""
    casts = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_dictionary(column.type) and column.type.ordered:
            values = ", ".join(map(literal, column.chunk(0).dictionary.to_pylist()))
            casts.append(f"{identifier(name)}::ENUM({values}) AS {identifier(name)}")
    return f" REPLACE ({', '.join(casts)})" if casts else ""
