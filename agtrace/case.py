"""A case: a folder of captures, ingested, resolved and ready for questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agtrace import globs, interrupts, settings, thresholds
from agtrace.diagnostics import Analysis, Finding, analyses, by_severity, failed
from agtrace.diagnostics.overview import Overview
from agtrace.errors import AgtraceError, CaseError, RelationError
from agtrace.ingest import IngestReport
from agtrace.interactive import completion, named
from agtrace.interactive.asked import hosts_meant
from agtrace.interactive.looking import Looking
from agtrace.resolve import Resolved
from agtrace.say.finding import Findings
from agtrace.series import chosen, side_by_side
from agtrace.store import CaseView

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

    from agtrace.diagnostics.transport import Transport
    from agtrace.interactive.what_if import WhatIfControl
    from agtrace.replay.outcome import WhatIf

T = TypeVar("T")


class Case(Looking):
    """An opened case. Use `agtrace.open_case`.

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
    opened
        Makes the tables once more, not locked.
    """

    def __init__(
        self,
        folder: Path,
        store: Path,
        view: CaseView,
        resolved: Resolved,
        report: IngestReport | None,
        opened: Callable[[], CaseView],
    ) -> None:
        self.folder = folder
        self.store = store
        self.view = view
        self.resolved = resolved
        self.ingested = report
        self.failures = {}
        self._opened = opened
        self._analyses: dict[str, Analysis] = {}
        view.offer(("findings",), self._finding_rows)
        completion.join_in(Case)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in analyses():
            return self.analysis(name)
        raise AttributeError(f"a case has no {name!r}; its analyses are: {', '.join(analyses())}")

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Give what bears a name as a frame: a relation, an Extended Event, or a counter (or glob).

        Examples
        --------
        >>> case["roles"]["role"].unique().tolist()
        ['RESOLVING', 'SECONDARY', 'PRIMARY']
        """
        if name in named.relations():
            return named.relation(self.view, name)
        if "events_" + name in self.view.events:
            return self.events(name)
        return self.perfmon(name)

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
            raise CaseError(f"no analysis is called {name!r}", f"there are: {', '.join(analyses())}")
        if name not in self._analyses:
            self._analyses[name] = analyses()[name](self.view)
        return self._analyses[name]

    def findings(self) -> Findings:
        """Give the findings of every analysis that has input, the most severe first.

        Returns
        -------
        Findings
            A list of `agtrace.Finding`; a notebook and a console show them as cards.

        Examples
        --------
        >>> case.findings()[0].id
        'transport.window_limited'
        """
        return by_severity([finding for name in analyses() for finding in self.answers(name)])

    def _finding_rows(self) -> dict[str, pa.Table]:
        from agtrace.say.finding_rows import finding_rows

        return {"findings": finding_rows(self.findings())}

    def answers(self, name: str) -> list[Finding]:
        """Give the findings of one analysis; none where it has no input.

        One that fails is a `quality.analysis_failed` finding, and stands in ``failures`` with its error.
        """
        analysis = self.analysis(name)
        return self._told(name, lambda: [] if analysis.missing() else analysis.findings())

    def _told(self, name: str, ask: Callable[[], list[Finding]]) -> list[Finding]:
        found = self._asked(name, ask)
        return [failed.finding(name, self.failures[name])] if name in self.failures else found

    def _asked(self, name: str, ask: Callable[[], list[T]]) -> list[T]:
        """Ask an analysis; one that fails gives nothing, and is not asked again.

        What ends all of them, such as a store that is gone, is raised.
        """
        if name in self.failures:
            return []
        try:
            return ask()
        except RelationError as error:
            self.failures[name] = error
        except (AgtraceError, OSError, MemoryError):
            raise
        except Exception as error:
            interrupts.raise_again(error)
            self.failures[name] = error
        return []

    def verdicts(self) -> list[Finding]:
        """Give the findings but the one about the settings files of the case.

        An analysis that fails gives the same one with whatever settings it is asked.
        """
        found: list[Finding] = []
        for name in analyses():
            analysis = self.analysis(name)
            if isinstance(analysis, Overview):
                found += self._told(name, analysis.weaknesses)
            else:
                found += self.answers(name)
        return found

    def unanswered(self, names: str | Iterable[str] = ()) -> dict[str, list[str]]:
        """Give the analyses that cannot say anything, with what each lacks.

        One that fails is not among them, even where it fails to say that.

        Parameters
        ----------
        names
            Ask these alone; all of them when empty.
        """
        asked = globs.named(names) or analyses()
        lacking = {name: self._asked(name, self.analysis(name).missing) for name in asked}
        return {name: lacks for name, lacks in lacking.items() if lacks}

    def sql(self, query: str, parameters: dict[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Give a query over the relations of docs/store.md as a DuckDB relation.

        It reads and writes nothing outside of the store; `writable_connection` does.
        """
        return self.view.sql(query, parameters)

    def writable_connection(self) -> duckdb.DuckDBPyConnection:
        """Give a new DuckDB connection with the same relations that may do what you may do.

        It reads and writes files wherever you can (COPY TO, ATTACH, read_csv, ...) and its settings
        can be changed. Run on it only what you wrote or read yourself; close it when done.
        """
        view = self._opened()
        view.offer(("findings",), self._finding_rows)
        view.compute_all()
        return view.connection

    @property
    def thresholds(self) -> pd.DataFrame:
        """The limits that turn numbers into verdicts, as they hold here.

        Returns
        -------
        pandas.DataFrame
            By name: value, unit, default, set_by (``you``, ``agtrace.toml``, or empty), meaning.

        Examples
        --------
        >>> case.thresholds.loc["growing_minutes", ["value", "unit"]].tolist()
        [5, 'min']
        """
        import pandas as pd

        mine = self.view.given.mine if self.view.given else {}
        rows = settings.rows(thresholds.of(self.view), mine)
        return pd.DataFrame(rows, dtype=object).set_index("name")

    def errorlog(self, host: str | Iterable[str] | None = None, like: str | None = None) -> pd.DataFrame:
        """Give ERRORLOG entries in file order.

        Parameters
        ----------
        host
            Only this host's or these hosts', by any spelling of a name or a glob.
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
        hosts = hosts_meant(self.view, host)
        query = """
            SELECT * FROM errorlog
            WHERE ($hosts IS NULL OR list_contains($hosts, host_id))
              AND ($like IS NULL OR regexp_full_match(message, $like, 'is'))
            ORDER BY host_id, time_local, content_id, line
        """
        wanted = {
            "hosts": None if hosts is None else sorted(hosts),
            "like": globs.expression(*globs.named(like)) if like else None,
        }
        return self.view.table(query, wanted).to_pandas()

    def events(self, name: str) -> pd.DataFrame:
        """Give the Extended Events of one name over all captures, in the order of time.

        Returns
        -------
        pandas.DataFrame
            ``_host_id`` (NULL where no host is known), ``_content_id``, ``_seq``, ``_time`` (UTC),
            ``_ticks`` (100 ns since 1601), the fields under their own names, actions as
            ``action_<name>``.

        Raises
        ------
        CaseError
            None were captured.
        """
        view = "events_" + name
        if view not in self.view.events:
            captured = ", ".join(v.removeprefix("events_") for v in sorted(self.view.events))
            raise CaseError(f"no Extended Event {name!r} was captured", f"captured are: {captured or 'none'}")
        quoted = view.replace('"', '""')
        query = f"""SELECT o.host_id AS _host_id, e.* FROM "{quoted}" e
            LEFT JOIN contents o ON o.content_id = e._content_id
            ORDER BY e._ticks, e._content_id, e._seq"""
        return self.view.table(query).to_pandas()

    def backups(self) -> pd.DataFrame:
        """Give every backup and restore, one row each (relation ``backups`` of docs/store.md)."""
        return self._relation("backups")

    def seedings(self) -> pd.DataFrame:
        """Give every seeding, one row each (relation ``seedings`` of docs/store.md)."""
        return self._relation("seedings")

    def roles(self) -> pd.DataFrame:
        """Give who was primary when, one row per replica and stretch (relation ``roles``)."""
        return self._relation("roles")

    def trials(self) -> pd.DataFrame:
        """Give every test of a load generator, one row each (relation ``trials``)."""
        return self._relation("trials")

    def what_if(
        self,
        replica: str | None = None,
        *,
        window: str | None = None,
        capacity: float | None = None,
        rtt: float | None = None,
        loss: float | None = None,
        disk: float | None = None,
        redo: float | None = None,
        compression: bool | None = None,
        commit: str | None = None,
        load: float | None = None,
        replicas: int | None = None,
        seeding: float | None = None,
    ) -> WhatIf:
        """Estimate what changes of the stream to a replica would bring, by a replay of its load.

        It is an estimate, with its 90 % band, and only where the replay of what was gives back what was
        captured (docs/what_if.md). Several changes are made at once.

        Parameters
        ----------
        replica
            Its name; may be left out where there is one.
        window
            ``"scaled"``: its receive window scales.
        capacity
            The path carries so many times what it was seen to carry at its limit.
        rtt
            Round trip of the path, ms.
        loss
            Share of segments that the path loses.
        disk, redo
            Its log disk, or its redo, is so many times as fast.
        compression
            Whether the log stream is compressed.
        commit
            ``"synchronous"`` or ``"asynchronous"``.
        load
            So many times the log.
        replicas
            So many replicas like it that commits wait for.
        seeding
            What a seeding beside the stream takes of the path, bytes per second.

        Raises
        ------
        CaseError
            There is no such replica, or a value is none that a chain can have.

        Examples
        --------
        >>> after = case.what_if("JBSAG3", window="scaled").after
        >>> after.next_limit, after.send_queue_end_bytes < 1e6
        ('network', True)
        """
        from agtrace.replay.change import Change

        change = Change(window, capacity, rtt, loss, disk, redo, compression, commit, load, replicas, seeding)
        transport: Transport = self.transport
        return transport.what_if(replica, change)

    def explore_changes(self, name: str = "case") -> WhatIfControl:
        """Try changes with the mouse: replica, window, round trip, path, disk, redo, load; and their code.

        Parameters
        ----------
        name
            What the notebook calls the case, for the code.

        Raises
        ------
        AgtraceError
            ipywidgets is not installed (the extra ``lab``), or there is no replica to ask about.
        """
        from agtrace.interactive.what_if import WhatIfControl

        transport: Transport = self.transport
        return WhatIfControl(self, transport.asked_about(), name)

    def _relation(self, name: str) -> pd.DataFrame:
        return named.relation(self.view, name)

    def perfmon(
        self,
        counter: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        *,
        exact: bool = False,
        every: str | timedelta | None = None,
    ) -> pd.DataFrame:
        """Give perfmon series side by side, so that they can be plotted and compared.

        Hosts take their samples at moments of their own. The rows are those of the series with the
        shortest interval; each other series gives the sample nearest to a row, when it lies within
        half of that series' own interval. Its time stamps may thus be off by that much;
        ``exact`` leaves every sample at its own time.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send Queue", "Log*"), or "Object\\Counter" globs, or several of
            them. ``*`` is any text, ``?`` one character, brackets stand for themselves.
        host, instance
            Globs that narrow it; a host by any spelling of its name.
        exact
            A row for every moment at which any of the series has a sample.
        every
            Means over steps of this length ("10s", "5min") instead: one grid for all series. A row
            is named by the begin of its step; steps without any sample are left out.

        Returns
        -------
        pandas.DataFrame
            One column per series, named by its path. The index is UTC time when the clock of every
            series is known, else local time without zone. Missing samples are NaN.
            ``attrs["units"]`` has the unit of each column that the catalogue knows.

        Raises
        ------
        CaseError
            No such series was captured, the message names the nearest; or ``every`` is no length.

        Examples
        --------
        >>> frame = case.perfmon("Log Send Queue", host="JBSAG3", instance="JBDB", every="1h")
        >>> frame.attrs["units"]
        {'\\\\\\\\JBSAG3\\\\SQLServer:Database Replica(JBDB)\\\\Log Send Queue': 'KB'}
        """
        captured = self.view.rows("SELECT * FROM counters ORDER BY counter_id")
        found = chosen(captured, counter, host, instance)
        frame = side_by_side(self.view, found, exact=exact, every=every)
        units = {row["counter_id"]: row["unit"] for row in captured}
        frame.attrs["units"] = {found[each]: units[each] for each in found if units[each]}
        return frame
