"""A case: a folder of captures, ingested, resolved and ready for questions."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import ingest as ingesting
from agtrace.diagnostics import Analysis, Finding, analyses, by_severity
from agtrace.errors import AgtraceError, CaseError
from agtrace.ingest import IngestReport
from agtrace.resolve import Resolved, resolve
from agtrace.resolve.opening import prefer, resolved_tables
from agtrace.series import chosen, side_by_side
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

        Raises
        ------
        CaseError
            The case has no such host.
        """
        query = """
            SELECT * FROM errorlog
            WHERE ($host IS NULL OR host_id = $host) AND ($like IS NULL OR lower(message) GLOB $like)
            ORDER BY host_id, time_local, content_id, line
        """
        wanted = {
            "host": None if host is None else self.resolved.hosts.known(host),
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

    def perfmon(
        self,
        counter: str,
        host: str | None = None,
        instance: str | None = None,
        *,
        exact: bool = False,
    ) -> pd.DataFrame:
        """Give perfmon series side by side, so that they can be plotted and compared.

        Hosts take their samples at moments of their own. The rows are those of the series with the
        shortest interval; each other series gives the sample nearest to a row, when it lies within
        half of that series' own interval. Its time stamps may thus be off by that much;
        ``exact`` leaves every sample at its own time.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send Queue", "Log*"), or "Object\\Counter" globs.
        host, instance
            Globs that narrow it.
        exact
            A row for every moment at which any of the series has a sample.

        Returns
        -------
        pandas.DataFrame
            One column per series, named by its path. The index is UTC time when the clock of every
            series is known, else local time without zone. Missing samples are NaN.

        Raises
        ------
        CaseError
            No such series was captured; the message names the nearest.
        """
        captured = self.view.table("SELECT * FROM counters ORDER BY counter_id").to_pylist()
        return side_by_side(self.view, chosen(captured, counter, host, instance), exact=exact)


def nothing_usable(folder: Path) -> AgtraceError:
    """Give the error that says that no capture of a case could be read."""
    return AgtraceError(
        f"{folder}: nothing in it is a capture that agtrace can read",
        "'agtrace ingest' names each file with the reason; docs/capture.md says what to capture",
    )


def keep_utc_offsets(
    folder: str | Path, store: str | Path | None, utc_offsets: dict[str, int] | None
) -> None:
    """Keep what the user says of the clocks of a case that has been ingested.

    Parameters
    ----------
    folder, store
        As in `open_case`.
    utc_offsets
        Minutes local minus UTC by host name, ``"*"`` for all.

    Raises
    ------
    CaseError
        The case has no such host; nothing is kept.
    StoreError
        The store cannot be written.
    """
    if not utc_offsets:
        return
    kept = open_store(folder := Path(folder), store)
    hosts = resolve(folder, kept.captures(), kept.records()).hosts
    offsets = {name if name == "*" else hosts.known(name): m for name, m in utc_offsets.items()}
    if kept.utc_offsets() != kept.utc_offsets() | offsets:
        with kept.lock():
            kept.write_utc_offsets(kept.utc_offsets() | offsets)


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
        No such folder, nothing in it, its configuration files are not valid, or ``utc_offsets``
        names a host that it does not have.
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
            progress=progress,
        )
        keep_utc_offsets(path, store, utc_offsets)
    kept = open_store(path, store)
    records = kept.records()
    resolved = resolve(path, kept.captures(), records, kept.utc_offsets() | (utc_offsets or {}))
    for name in set(utc_offsets or {}) - {"*"}:
        resolved.hosts.known(name)
    files, tables = resolved_tables(path, kept, resolved)
    view = CaseView(files, tables, _settings(path))
    prefer(view)
    return Case(path, kept.root, view, resolved, report)


def _settings(case: Path) -> dict[str, Any]:
    path = case / "agtrace.toml"
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise CaseError(f"{path}: not valid ({error})") from error
