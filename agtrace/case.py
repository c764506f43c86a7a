"""A case: a folder of captures, ingested, resolved and ready for questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agtrace import globs, interrupts, settings, thresholds
from agtrace.diagnostics import Analysis, Finding, analyses, by_severity, failed
from agtrace.diagnostics.checks import Checked
from agtrace.diagnostics.overview import Overview
from agtrace.errors import AgtraceError, CaseError, RelationError
from agtrace.ingested import IngestReport
from agtrace.interactive import case_settings, completion, named
from agtrace.interactive.asked import Moment, in_utc, part_meant
from agtrace.interactive.case_settings import Turned, turned_verdicts
from agtrace.interactive.kept_findings import KeptFindings
from agtrace.interactive.looking import Looking
from agtrace.interactive.own import own_finding, show_in_report
from agtrace.log import LOG
from agtrace.moments import Window
from agtrace.resolve import Resolved
from agtrace.say.finding import Evidence
from agtrace.say.findings import Findings
from agtrace.say.summary import Watched, summary
from agtrace.store import CaseView, user_sql
from agtrace.store.part import WHOLE, Part

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

    from agtrace.interactive.what_if import WhatIfControl
    from agtrace.replay.outcome import WhatIf

T = TypeVar("T")

NOT_CAPTURED = "quality.not_captured"


@dataclass(frozen=True)
class Opened:
    """The functions and options with which a case was opened.

    Parameters
    ----------
    unlocked
        Builds the tables again, in a connection without restrictions.
    part_of
        Opens a part of a case as a case.
    by_defaults
        Opens the case without its settings, to find which findings they change.
    again
        Opens the case again from its store; a module-level function, so that any process can import it.
    options
        Arguments of `agtrace.open_case` with which it was opened.
    part
        The part of the whole case that it covers; `WHOLE` for a whole case.
    """

    unlocked: Callable[[], CaseView]
    part_of: Callable[[Case, Part], Case]
    by_defaults: Callable[[], AbstractContextManager[Case]]
    again: Callable[..., Case]
    options: Mapping[str, Any]
    part: Part = WHOLE
    kept: KeptFindings | None = None
    """Cached findings; None for a part of a case."""


class Case(Looking):
    """An opened case. Use `agtrace.open_case`.

    Analyses are attributes by name: ``case.transport.findings()``, ``case.overview.fig_captures()``. A case
    also has these methods and properties, each with its own help (``help(case.perfmon)``):

    - summary, findings, checked, unanswered, add_finding: the answer, what was checked, what is missing
    - sql, ``case[NAME]``, recipes, writable_connection: its relations, events and counters
    - perfmon, percentiles, errorlog, events: what was measured and logged
    - timeline, around, roles, failovers, backups, seedings, trials: what happened
    - hosts, captures, counters, relations, thresholds: its contents, and the thresholds in force
    - plot, around_events, join: figures, epochs, and your own series beside those of the case
    - explore, what_if, explore_changes: interactive figures, and estimates of a change
    - report: the pages of ``agtrace report``
    - window: the same case limited to a time window and some hosts

    Parameters
    ----------
    folder
        The folder of captures.
    view
        The tables.
    resolved
        Hosts and clocks.
    report
        Result of the ingest; None when the case was opened without one.
    opened
        The functions and options with which it was opened.
    """

    def __init__(
        self,
        folder: Path,
        store: Path,
        view: CaseView,
        resolved: Resolved,
        report: IngestReport | None,
        opened: Opened,
    ) -> None:
        self.folder = folder
        self.store = store
        self.view = view
        self.resolved = resolved
        self.ingested = report
        self.part = opened.part
        self.failures = {}
        self.options = opened.options
        self._opened = opened
        self._kept = opened.kept if opened.part.is_all else None
        self._analyses: dict[str, Analysis] = {}
        self._found: dict[str, list[Finding]] = {}
        self.added: list[Finding] = []
        """Findings that the user added."""
        view.offer(("findings",), self._finding_rows)
        completion.join_in(Case)

    if not TYPE_CHECKING:
        # Type checkers know the analyses of agtrace (`agtrace.interactive.questions`) and no other name.
        def __getattr__(self, name: str) -> Analysis:
            if not name.startswith("_") and name in analyses():
                return self.analysis(name)
            raise AttributeError(named.no_attribute(name, dir(self)))

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a relation, an Extended Event or a counter (or glob) as a frame, by name.

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

    def __reduce__(self) -> tuple[Callable[..., Case], tuple[object, ...]]:
        # Pickle, copy and multiprocessing open the case again, by its path.
        where = self.folder.absolute(), self.store.absolute()
        return self._opened.again, (*where, dict(self.options), self.part, tuple(self.added))

    def __enter__(self) -> Case:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database connection."""
        self.view.close()

    def analysis(self, name: str) -> Analysis:
        """Return an analysis by name.

        Raises
        ------
        CaseError
            There is no such analysis.
        """
        if name not in analyses() and name not in self._analyses:
            raise CaseError(f"no analysis is called {name!r}", globs.instead(name, analyses()))
        if name not in self._analyses:
            self._analyses[name] = analyses()[name](self.view)
        return self._analyses[name]

    def adopt(self, analysis: Analysis) -> None:
        """Register an analysis that is not part of agtrace, so that `analysis` returns it by name."""
        self._analyses[analysis.name] = analysis

    def findings(self) -> Findings:
        """Return the findings of every analysis that has input, most severe first.

        Returns
        -------
        Findings
            A list of `agtrace.Finding`, shown as cards in a notebook and a console.

        Examples
        --------
        >>> case.findings()[0].id
        'transport.window_limited'
        """
        found = [*self.added, *(finding for name in analyses() for finding in self.answers(name))]
        self._keep_findings()
        return by_severity(found)

    def _keep_findings(self) -> None:
        if self._kept is None or self.failures or self._kept.findings(Overview.name) is not None:
            return
        self._kept.keep({name: self._judged_by(name) for name in analyses()}, self.unanswered())

    def add_finding(
        self,
        id: str,
        title: str,
        *,
        severity: str = "notice",
        evidence: Evidence | Iterable[Evidence] = (),
        narrative: str = "",
        recommendation: str = "",
        start: Moment | None = None,
        end: Moment | None = None,
        tz: str = "UTC",
        confidence: float = 1.0,
        **subject: str,
    ) -> None:
        """Add a finding of your own to those of the case: in SQL, exports and the report of this session.

        Parameters
        ----------
        id
            Dotted name of your choice, such as ``"mine.disk"``.
        title
            One line that can be read on its own.
        severity
            info, notice, warning or critical.
        evidence
            `agtrace.Evidence`, at least one.
        narrative, recommendation, confidence
            As in `agtrace.Finding`.
        start, end, tz
            Its time window, as in every method (docs/lab.md).
        subject
            Its subject: host, ag, database, ...

        Raises
        ------
        CaseError
            A value is missing or invalid, or an analysis of agtrace uses this id.

        Examples
        --------
        >>> mine = agtrace.Evidence("latency", 41.0, "ms", "storage team")
        >>> case.add_finding("mine.storage", "The array was rebuilding", evidence=mine, host="JBSAG3")
        >>> case.sql("select title from findings where id = 'mine.storage'").fetchall()
        [('The array was rebuilding',)]
        """
        window = Window.of(start, end, tz)
        found = own_finding(
            id, title, severity, evidence, narrative, recommendation, window, confidence, subject
        )
        self.added.append(found)
        self._judged = None
        self.view.forget("findings")
        self.view.offer(("findings",), self._finding_rows)
        show_in_report(found)

    def _finding_rows(self) -> dict[str, pa.Table]:
        from agtrace.say.finding_rows import finding_rows, ranked

        rows = finding_rows(self.findings())
        return {"findings": rows.set_column(*ranked(rows))}

    def answers(self, name: str) -> list[Finding]:
        """Return the findings of one analysis; empty without input.

        Findings about the case's settings are returned with those of the overview. If the analysis fails, the
        result is one `quality.analysis_failed` finding, and ``failures`` has the error.
        """
        settings = self._about_settings() if name == Overview.name else []
        return [*settings, *self._judged_by(name)]

    def _judged_by(self, name: str) -> list[Finding]:
        if self._kept is not None and (kept := self._kept.findings(name)) is not None:
            return kept
        if name not in self._found:
            self._found[name] = self._asked_findings(name)
        return list(self._found[name])

    def _asked_findings(self, name: str) -> list[Finding]:
        analysis = self.analysis(name)
        found = self._asked(name, lambda: [] if analysis.missing() else analysis.findings())
        if name in self.failures:
            return [failed.finding(name, self.failures[name])]
        # Data outside a part may well have been captured.
        return found if self.part.is_all else [each for each in found if each.id != NOT_CAPTURED]

    def _about_settings(self) -> list[Finding]:
        given = self.view.given
        if given is None:
            return []
        return case_settings.findings(given, thresholds.of(self.view), self._turned)

    def say_settings(self) -> str:
        """Return in Markdown which settings from the case's own files are in force; empty without any."""
        given = self.view.given
        return "" if given is None else case_settings.line(given, thresholds.of(self.view), self._turned)

    @cached_property
    def _turned(self) -> list[Turned]:
        """Verdicts that differ without the settings; computed once, at the cost of all findings."""
        if self.view.given is None or not case_settings.sets(self.view.given, thresholds.of(self.view)):
            return []
        with self._opened.by_defaults() as plain:
            default = plain.findings()
        return turned_verdicts((each for name in analyses() for each in self._judged_by(name)), default)

    def _asked(self, name: str, ask: Callable[[], list[T]]) -> list[T]:
        """Return the results of an analysis; one that fails returns an empty list and is not run again.

        Errors that would stop every analysis, such as a missing store, are raised.
        """
        if name in self.failures:
            return []
        try:
            return ask()
        except RelationError as error:
            self._fails(name, error)
        except (AgtraceError, OSError, MemoryError):
            raise
        except Exception as error:
            interrupts.raise_again(error)
            self._fails(name, error)
        return []

    def _fails(self, name: str, error: Exception) -> None:
        self.failures[name] = error
        LOG.warning("%s: the analysis %s failed", self.folder, name, exc_info=error)

    def unanswered(self, names: str | Iterable[str] = ()) -> dict[str, list[str]]:
        """Return the analyses that cannot run, with the input that each lacks.

        An analysis that raises an error is not among them (see ``failures``).

        Parameters
        ----------
        names
            Names or globs of the analyses to check; all when empty.
        """
        asked = globs.named(names) or analyses()
        lacking = {name: self._lacking(name) for name in asked}
        return {name: lacks for name, lacks in lacking.items() if lacks}

    def _lacking(self, name: str) -> list[str]:
        if self._kept is not None and (kept := self._kept.lacking(name)) is not None:
            return kept
        return self._asked(name, self.analysis(name).missing)

    def checked(self) -> list[Checked]:
        """Return what was checked, in the order of the report: problem, fine, not captured, not applicable.

        Returns
        -------
        list of agtrace.diagnostics.checks.Checked
            question, check, title, state, text, and the finding that reports the problem.
        """
        findings = self.findings()
        return [
            result
            for name in analyses()
            for result in self._asked(name, partial(self.analysis(name).checked, findings))
        ]

    def summary(self) -> str:
        """Return the case in three sentences: what happened, what it cost, what to do first.

        Returns
        -------
        str
            20 to 100 words of Markdown.
        """
        lacking = next((each.text for each in self.checked() if each.state == "not-captured"), "")
        return summary(self.findings(), Watched(self.overview.say_captured(), lacking)).text

    def sql(
        self, query: str, parameters: Mapping[str, object] | Sequence[object] | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return one query over the relations of docs/store.md as a DuckDB relation.

        Write parameters by name as ``$name`` in the query, those of a list as ``?`` or ``$1``.

        The query can only read, and only from the store; `writable_connection` has no such limits. Severities
        are compared by rank: ``severity >= 'warning'`` includes ``critical``.

        Raises
        ------
        CaseError
            The query is not one SELECT or an EXPLAIN of one, or it names an unknown relation or column; the
            message suggests the nearest name.
        """
        given: dict[str, object] | list[object] | None = None
        if parameters:
            given = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
        return user_sql.explained(lambda: self.view.sql(user_sql.ranked(query), given), query, self.view)

    def writable_connection(self) -> duckdb.DuckDBPyConnection:
        """Return a new DuckDB connection with the same relations and without the restrictions.

        It can read and write any file that you can (COPY TO, ATTACH, read_csv, ...), and its settings can be
        changed. Run only SQL that you wrote or reviewed; close the connection when done.
        """
        view = self._opened.unlocked()
        view.offer(("findings",), self._finding_rows)
        view.compute_all()
        return view.connection

    @property
    def thresholds(self) -> pd.DataFrame:
        """Thresholds of the findings, as in force for this case.

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
        """Estimate the effect of changes to the log stream of a replica, by replaying its captured load.

        The estimate has a 90 % band. It is made only if a replay of the unchanged stream reproduces what was
        captured (docs/what_if.md). All changes given apply together.

        Parameters
        ----------
        replica
            Its name; optional if there is only one.
        window
            ``"scaled"``: turn on scaling of its receive window.
        capacity
            Factor of the throughput that the path carried at its limit; 2 doubles it.
        rtt
            Round-trip time of the path, ms.
        loss
            Fraction of segments lost on the path.
        disk, redo
            Factor of the speed of its log disk, or of its redo.
        compression
            Whether the log stream is compressed.
        commit
            ``"synchronous"`` or ``"asynchronous"``.
        load
            Factor of the amount of log.
        replicas
            Number of replicas like this one that commits wait for.
        seeding
            Throughput that a concurrent seeding takes from the path, bytes per second.

        Raises
        ------
        CaseError
            There is no such replica, or a value is invalid.

        Examples
        --------
        >>> after = case.what_if("JBSAG3", window="scaled").after
        >>> after.next_limit, after.send_queue_end_bytes < 1e6
        ('network', True)
        """
        from agtrace.replay.change import Change

        change = Change(window, capacity, rtt, loss, disk, redo, compression, commit, load, replicas, seeding)
        return self.transport.what_if(replica, change)

    def explore_changes(self, name: str = "case") -> WhatIfControl:
        """Show controls for a what-if estimate (replica, window, round trip, path, disk, ...) and its code.

        Parameters
        ----------
        name
            Variable of the case in the notebook, for the code.

        Raises
        ------
        AgtraceError
            ipywidgets is not installed (the extra ``lab``), or the case has no replica.
        """
        from agtrace.interactive.what_if import WhatIfControl

        return WhatIfControl(self, self.transport.asked_about(), name)

    def window(
        self,
        start: Moment | None = None,
        end: Moment | None = None,
        *,
        host: str | Iterable[str] | None = None,
        tz: str = "UTC",
    ) -> Case:
        """Return the case limited to a time window and some hosts; every method, including findings, uses it.

        Logs, events and samples are cut to the window. History (roles, failovers, ..) is computed from the
        whole case and then cut, so a role that began earlier still applies. Settings and snapshots stay. Keep
        the original case open while you use the part.

        Parameters
        ----------
        host, start, end, tz
            As in every method (docs/lab.md).

        Raises
        ------
        CaseError
            There is no such host or time zone, a time is invalid, or the UTC offset of a host is unknown.

        Examples
        --------
        >>> part = case.window("2019-08-20 13:50", "2019-08-20 14:00", host="JBSAG3")
        >>> part.hosts["host_id"].tolist(), len(part.perfmon("Log Send Queue"))
        (['JBSAG3'], 120)
        """
        part = in_utc(self.view, part_meant(self.view, host, start, end, tz))
        return self._opened.part_of(self, part.of(self.part))
