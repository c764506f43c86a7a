"""A case: a folder of captures, ingested, resolved and ready for questions."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from agtrace import ingest as ingesting
from agtrace.diagnostics import Analysis, Finding, analyses, by_severity
from agtrace.errors import CaseError
from agtrace.history import offer
from agtrace.ingest import IngestReport
from agtrace.resolve import Resolved, resolve
from agtrace.resolve.opening import digest, prefer, resolved_tables
from agtrace.store import CaseView, open_store

if TYPE_CHECKING:
    import duckdb
    import pandas as pd


class Case:
    """An opened case. Use `open_case`.

    Analyses are attributes by name: ``case.transport.findings()``, ``case.overview.fig_captures()``.

    Parameters
    ----------
    folder
        The folder of captures.
    view
        The tables.
    resolved
        Hosts and clocks.
    report
        What the ingest did, None when it was not asked for.
    """

    def __init__(
        self,
        folder: Path,
        store: Path,
        view: CaseView,
        resolved: Resolved,
        report: IngestReport | None,
    ) -> None:
        self.folder = folder
        self.store = store
        self.view = view
        self.resolved = resolved
        self.ingested = report
        self._analyses: dict[str, Analysis] = {}

    def __repr__(self) -> str:
        hosts = ", ".join(sorted(self.resolved.hosts.aliases)) or "no host known"
        return f"<Case {self.folder.name}: {len(self.resolved.captures)} captures of {hosts}>"

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in analyses():
            return self.analysis(name)
        raise AttributeError(f"a case has no {name!r}; its analyses are: {', '.join(analyses())}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *analyses()]

    def __enter__(self) -> Case:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the database connection up."""
        self.view.close()

    def analysis(self, name: str) -> Analysis:
        """Give an analysis by name.

        Raises
        ------
        CaseError
            There is no such analysis.
        """
        if name not in analyses():
            raise CaseError(
                f"no analysis is called {name!r}", f"there are: {', '.join(analyses())}"
            )
        if name not in self._analyses:
            self._analyses[name] = analyses()[name](self.view)
        return self._analyses[name]

    def findings(self) -> list[Finding]:
        """Give the findings of every analysis that has input, the most severe first."""
        found = []
        for name in analyses():
            analysis = self.analysis(name)
            if not analysis.missing():
                found += analysis.findings()
        return by_severity(found)

    def unanswered(self) -> dict[str, list[str]]:
        """Give the analyses that cannot say anything, with what each lacks."""
        lacking = {name: self.analysis(name).missing() for name in analyses()}
        return {name: lacks for name, lacks in lacking.items() if lacks}

    def sql(self, query: str, parameters: dict[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Give a query over the relations of docs/store.md as a DuckDB relation."""
        return self.view.sql(query, parameters)

    def errorlog(self, host: str | None = None, like: str | None = None) -> pd.DataFrame:
        """Give ERRORLOG entries in file order.

        Parameters
        ----------
        host
            Only this host's.
        like
            Glob over the message, without regard to case.

        Returns
        -------
        pandas.DataFrame
            Columns of docs/store.md; ``time`` in UTC, NaT where the zone is not known.
        """
        query = """
            SELECT * FROM errorlog
            WHERE ($host IS NULL OR host_id = $host) AND ($like IS NULL OR lower(message) GLOB $like)
            ORDER BY host_id, time_local, content_id, line
        """
        wanted = {
            "host": self.resolved.hosts.canonical(host),
            "like": like.lower() if like else None,
        }
        return self.view.table(query, wanted).to_pandas()

    def events(self, name: str) -> pd.DataFrame:
        """Give the Extended Events of one name over all captures, in the order of time.

        Returns
        -------
        pandas.DataFrame
            ``_content_id``, ``_seq``, ``_time`` (UTC), ``_ticks`` (100 ns since 1601), the fields
            under their own names, actions as ``action_<name>``.

        Raises
        ------
        CaseError
            None were captured.
        """
        view = "events_" + name
        if view not in self.view.events:
            captured = ", ".join(v.removeprefix("events_") for v in sorted(self.view.events))
            raise CaseError(
                f"no Extended Event {name!r} was captured", f"captured are: {captured or 'none'}"
            )
        quoted = view.replace('"', '""')
        query = f'SELECT * FROM "{quoted}" ORDER BY _ticks, _content_id, _seq'
        return self.view.table(query).to_pandas()

    def backups(self) -> pd.DataFrame:
        """Give every backup and restore, one row each (relation ``backups`` of docs/store.md)."""
        return self._relation("backups")

    def seedings(self) -> pd.DataFrame:
        """Give every seeding, one row each (relation ``seedings`` of docs/store.md)."""
        return self._relation("seedings")

    def trials(self) -> pd.DataFrame:
        """Give every test of a load generator, one row each (relation ``trials``)."""
        return self._relation("trials")

    def _relation(self, name: str) -> pd.DataFrame:
        return self.view.table(f"SELECT * FROM {name}").to_pandas()

    def perfmon(
        self, counter: str, host: str | None = None, instance: str | None = None
    ) -> pd.DataFrame:
        """Give perfmon series side by side.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send Queue", "Log*"), or "Object\\Counter" globs.
        host, instance
            Globs that narrow it.

        Returns
        -------
        pandas.DataFrame
            One column per series, named by its path. The index is UTC time when the clock of every
            series is known, else local time without zone. Missing samples are NaN.
        """
        series = self.view.table("SELECT * FROM counters ORDER BY counter_id").to_pylist()
        wanted = {
            row["counter_id"]: label(row)
            for row in series
            if _matches(row, counter)
            and _glob(row["host_id"], host)
            and _glob(row["instance"], instance)
        }
        return _side_by_side(self.view, wanted)


def label(row: dict[str, Any]) -> str:
    """Give a series' path with its canonical names."""
    name = row["object"] or row["object_written"] or ""
    if row["sql_instance"] not in (None, "MSSQLSERVER") and name.startswith("SQLServer:"):
        name = f"MSSQL${row['sql_instance']}:{name.removeprefix('SQLServer:')}"
    instance = f"({row['instance']})" if row["instance"] is not None else ""
    host = row["host_id"] or row["host"]
    prefix = f"\\\\{host}\\" if host else "\\"
    return f"{prefix}{name}{instance}\\{row['counter'] or row['counter_written']}"


def _glob(text: str | None, pattern: str | None) -> bool:
    return pattern is None or fnmatch.fnmatchcase((text or "").lower(), pattern.lower())


def _matches(row: dict[str, Any], pattern: str) -> bool:
    names = (row["counter"], row["counter_written"])
    if "\\" in pattern:
        want_object, _, want_counter = pattern.rpartition("\\")
        objects = (row["object"], row["object_written"])
        return any(_glob(o, want_object) for o in objects if o) and any(
            _glob(n, want_counter) for n in names if n
        )
    return any(_glob(name, pattern) for name in names if name)


def _side_by_side(view: CaseView, wanted: dict[int, str]) -> pd.DataFrame:
    import pandas as pd

    if not wanted:
        return pd.DataFrame()
    ids = pa.table({"counter_id": pa.array(list(wanted), pa.int64())})
    view.connection.register("wanted_series", ids)
    try:
        rows = view.table(
            "SELECT counter_id, time, time_local, value FROM samples SEMI JOIN wanted_series USING (counter_id)"
        )
    finally:
        view.connection.unregister("wanted_series")
    known = not rows["time"].null_count
    frame = rows.select(["counter_id", "time" if known else "time_local", "value"]).to_pandas()
    frame.columns = ["counter_id", "time", "value"]
    frame["series"] = frame["counter_id"].map(wanted)
    wide = frame.pivot_table(index="time", columns="series", values="value", aggfunc="first")
    wide.columns.name = None
    return wide.sort_index()


def open_case(
    folder: str | Path,
    store: str | Path | None = None,
    *,
    ingest: bool = True,
    jobs: int | None = None,
    counters: tuple[str, ...] = (),
    encoding: str | None = None,
    utc_offsets: dict[str, int] | None = None,
    progress: bool = False,
) -> Case:
    """Open a case: read what is new in its folder, then resolve hosts and clocks.

    Parameters
    ----------
    folder
        Folder of captures.
    store
        Folder of the store; default ``CASE/.agtrace``.
    ingest
        False opens what the store holds, without a look into the folder.
    jobs, counters, encoding, progress
        As in `agtrace.ingest.ingest`.
    utc_offsets
        Minutes local minus UTC by host name, ``"*"`` for all; fills unknowns only. Kept in the store.

    Raises
    ------
    CaseError
        No such folder, nothing in it, or its configuration files are not valid.
    StoreError
        The store cannot be made or written.
    """
    path = Path(folder)
    report = None
    if ingest:
        report = ingesting.ingest(
            path,
            store,
            jobs=jobs,
            counters=counters,
            encoding=encoding,
            utc_offsets=utc_offsets,
            progress=progress,
        )
    kept = open_store(path, store)
    records = kept.records()
    resolved = resolve(path, kept.captures(), records, kept.utc_offsets() | (utc_offsets or {}))
    files, tables = resolved_tables(path, kept, resolved)
    settings = _settings(path)
    view = CaseView(files, tables, settings)
    prefer(view)
    offer(view, kept.root, digest(files, tables, settings))
    return Case(path, kept.root, view, resolved, report)


def _settings(case: Path) -> dict[str, Any]:
    path = case / "agtrace.toml"
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise CaseError(f"{path}: not valid ({error})") from error
