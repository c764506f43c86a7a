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
    """How a case was opened.

    Parameters
    ----------
    unlocked
        Makes the tables once more, not locked.
    part_of
        Makes a case of a part of one.
    by_defaults
        Opens it without its settings: what these do to the findings is told of it.
    again
        Opens it once more from its store; found by its name in any process.
    options
        How it was opened, by the names of `agtrace.open_case`.
    part
        The part of another case that it is itself; of a whole case nothing is left out.
    """

    unlocked: Callable[[], CaseView]
    part_of: Callable[[Case, Part], Case]
    by_defaults: Callable[[], AbstractContextManager[Case]]
    again: Callable[..., Case]
    options: Mapping[str, Any]
    part: Part = WHOLE
    kept: KeptFindings | None = None
    """What was answered before; a part of a case has none."""


class Case(Looking):
    """An opened case. Use `agtrace.open_case`.

    Analyses are attributes by name: ``case.transport.findings()``, ``case.overview.fig_captures()``. What a
    case has beside them, each with help of its own (``help(case.perfmon)``):

    - summary, findings, checked, unanswered, add_finding: the answer, what was checked, what is missing
    - sql, ``case[NAME]``, recipes, writable_connection: its relations, events and counters
    - perfmon, percentiles, errorlog, events: what was measured and logged
    - timeline, around, roles, failovers, backups, seedings, trials: what happened
    - hosts, captures, counters, relations, thresholds: what is in it, and what holds
    - plot, around_events, join: figures, epochs, and series of your own beside those of the case
    - explore, what_if, explore_changes: estimates of a change, and figures by mouse
    - report: the pages of ``agtrace report``
    - window: a case of a stretch of time and some hosts

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
        How it was opened.
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
        """Findings of whoever asks."""
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
        # Pickle, copy and multiprocessing open it once more, by its path.
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
        """Answer by name for a question that is none of agtrace's own."""
        self._analyses[analysis.name] = analysis

    def findings(self) -> Findings:
        """Return the findings of every analysis that has input, most severe first.

        Returns
        -------
        Findings
            A list of `agtrace.Finding`; a notebook and a console show them as cards.

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
        """Add a finding of your own: it stands among the others, in SQL, exports and the report of this run.

        Parameters
        ----------
        id
            Dotted name of your own, such as ``"mine.disk"``.
        title
            One line that stands alone.
        severity
            info, notice, warning or critical.
        evidence
            What it rests on: `agtrace.Evidence`, at least one.
        narrative, recommendation, confidence
            As of `agtrace.Finding`.
        start, end, tz
            Its window, as everywhere (docs/lab.md).
        subject
            What it is about: host, ag, database, ...

        Raises
        ------
        CaseError
            Something of it is missing or none of these, or a question of agtrace has this id.

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
        """Return the findings of one analysis, none without input; settings stand with those of the overview.

        One that fails is a `quality.analysis_failed` finding, and stands in ``failures`` with its error.
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
        # What a part leaves out may well have been captured.
        return found if self.part.is_all else [each for each in found if each.id != NOT_CAPTURED]

    def _about_settings(self) -> list[Finding]:
        given = self.view.given
        if given is None:
            return []
        return case_settings.findings(given, thresholds.of(self.view), self._turned)

    def say_settings(self) -> str:
        """Return in Markdown which settings that lie in the case are in force; empty without any."""
        given = self.view.given
        return "" if given is None else case_settings.line(given, thresholds.of(self.view), self._turned)

    @cached_property
    def _turned(self) -> list[Turned]:
        """The verdicts that differ without the settings; they cost as much as the findings, once."""
        if self.view.given is None or not case_settings.sets(self.view.given, thresholds.of(self.view)):
            return []
        with self._opened.by_defaults() as plain:
            default = plain.findings()
        return turned_verdicts((each for name in analyses() for each in self._judged_by(name)), default)

    def _asked(self, name: str, ask: Callable[[], list[T]]) -> list[T]:
        """Ask an analysis; one that fails gives nothing, and is not asked again.

        What ends all of them, such as a store that is gone, is raised.
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

        One that fails is not among them, even where it fails to say that.

        Parameters
        ----------
        names
            Ask these alone; all of them when empty.
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

        Parameters by name stand as ``$name`` in the query, those of a list as ``?`` or ``$1``.

        It only reads, and only what is in the store; `writable_connection` may do more. Severities are
        compared by rank: ``severity >= 'warning'`` includes what is critical.

        Raises
        ------
        CaseError
            It is not one SELECT, or an EXPLAIN of one; or it names no relation or column of the case: then
            with the nearest that there is.
        """
        given: dict[str, object] | list[object] | None = None
        if parameters:
            given = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
        return user_sql.explained(lambda: self.view.sql(user_sql.ranked(query), given), query, self.view)

    def writable_connection(self) -> duckdb.DuckDBPyConnection:
        """Return a new DuckDB connection with the same relations and without the restrictions.

        It reads and writes files wherever you can (COPY TO, ATTACH, read_csv, ...) and its settings
        can be changed. Run on it only what you wrote or read yourself; close it when done.
        """
        view = self._opened.unlocked()
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
        return self.transport.what_if(replica, change)

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

        return WhatIfControl(self, self.transport.asked_about(), name)

    def window(
        self,
        start: Moment | None = None,
        end: Moment | None = None,
        *,
        host: str | Iterable[str] | None = None,
        tz: str = "UTC",
    ) -> Case:
        """Return a case limited to a time window and some hosts: every method, findings included.

        Logs, events and samples are cut; what happened is cut from what the whole case knows, so that a
        role that was taken before still holds. Settings and outputs of looks stay. The case itself stays
        open for as long as the part is asked.

        Parameters
        ----------
        host, start, end, tz
            As everywhere (docs/lab.md).

        Raises
        ------
        CaseError
            No such host or zone, no moment, or the local time of these hosts has no place in UTC.

        Examples
        --------
        >>> part = case.window("2019-08-20 13:50", "2019-08-20 14:00", host="JBSAG3")
        >>> part.hosts["host_id"].tolist(), len(part.perfmon("Log Send Queue"))
        (['JBSAG3'], 120)
        """
        part = in_utc(self.view, part_meant(self.view, host, start, end, tz))
        return self._opened.part_of(self, part.of(self.part))
