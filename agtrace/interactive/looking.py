"""The interactive interface of an opened case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import interrupts
from agtrace.diagnostics import Analysis, Finding, analyses
from agtrace.errors import CaseError
from agtrace.interactive import named, overview
from agtrace.interactive.measuring import Measuring
from agtrace.interactive.questions import Questions
from agtrace.interactive.recipes import Recipe, recipes_of
from agtrace.interactive.telling import Telling
from agtrace.interactive.waits import wait_types
from agtrace.say.findings import by_severity
from agtrace.say.words import plain
from agtrace.store import CaseView
from agtrace.store.part import Part
from agtrace.tables.history import RELATIONS

if TYPE_CHECKING:
    import pandas as pd

    from agtrace.interactive.explorer import Explorer
    from agtrace.say.reported import ReportResult

OFFERED = (
    "add_finding", "around", "around_events", "backups", "captures", "checked", "close", "counters",
    "errorlog", "events", "explore", "explore_changes", "failovers", "findings", "folder", "hosts", "join",
    "part", "perfmon", "plot", "recipes", "relations", "report", "roles", "seedings", "sql", "summary",
    "thresholds", "timeline", "trials", "unanswered", "what_if", "window",
)  # fmt: skip
"""Names listed by ``dir`` of a case besides its analyses."""


class Looking(Measuring, Telling, Questions):
    """The methods of a case that show, list and plot its contents.

    The examples use the sample ``log_send_queue``, opened as ``case``.
    """

    folder: Path
    store: Path
    options: Mapping[str, Any]
    """The arguments that it was opened with, as of `agtrace.open_case`."""
    view: CaseView
    part: Part
    added: list[Finding]
    failures: dict[str, Exception]
    """The exceptions of failed analyses, by name."""
    _judged: tuple[list[Finding], list[str]] | None = None

    # Names are looked up with brackets; iterating over a case has no meaning.
    __iter__ = None

    def analysis(self, name: str) -> Analysis:
        """Return an analysis by name."""
        raise NotImplementedError

    def answers(self, name: str) -> list[Finding]:
        """Return the findings of one analysis; if it fails, a finding that reports the failure."""
        raise NotImplementedError

    def __dir__(self) -> list[str]:
        return [*OFFERED, *analyses()]

    def __repr__(self) -> str:
        try:
            return overview.text(self.view, self._name, *self._worst())
        except Exception as error:
            # The case is closed or its store is gone; an error here would hide the traceback being printed.
            return f"<Case {plain(self.folder.name)}: {type(error).__name__}>"

    @property
    def _name(self) -> str:
        return ", ".join(filter(None, [self.folder.resolve().name, self.part.called]))

    def _repr_html_(self) -> str:
        return overview.page(self.view, self._name, *self._worst())

    def _worst(self) -> tuple[list[Finding], list[str]]:
        """Return all findings, and the names of failed analyses."""
        if self._judged is None:
            self._judged = self._judge()
        return self._judged

    def _judge(self) -> tuple[list[Finding], list[str]]:
        found = list(self.added)
        not_asked = []
        for name in analyses():
            try:
                found += self.answers(name)
            except Exception as error:
                interrupts.raise_again(error)
                not_asked.append(name)
        return by_severity(found), [*self.failures, *not_asked]

    def _ipython_key_completions_(self) -> list[str]:
        names = [*named.relations(), *named.event_names(self.view), *named.counter_names(self.view)]
        return list(dict.fromkeys(names))

    def _names_in_call(self, method: str, keyword: str) -> list[str]:
        """Return completions for a quoted argument of a method, for `agtrace.interactive.completion`."""
        if keyword == "host":
            return [row["host_id"] for row in self.view.rows("SELECT host_id FROM hosts ORDER BY 1")]
        if keyword == "mark":
            from agtrace.interactive.marks import MARKS

            return list(MARKS)
        if keyword:
            return []
        if method == "events":
            return named.event_names(self.view)
        if method == "plot":
            return [*named.counter_names(self.view), *wait_types(self.view)]
        if method in ("perfmon", "counters", "percentiles"):
            return named.counter_names(self.view)
        if method == "around_events":
            return list(RELATIONS)
        return list(named.relations()) if method == "sql" else []

    @property
    def hosts(self) -> pd.DataFrame:
        """The hosts with captures, and the time span of each.

        Returns
        -------
        pandas.DataFrame
            host_id, aliases, captures, kinds, first_time and last_time (UTC), first_local and last_local
            (the host's own time), zone; one row without a host for files whose host is unknown.

        Examples
        --------
        >>> case.hosts[["host_id", "captures"]].values.tolist()
        [['JBSAG1', 3], ['JBSAG2', 5], ['JBSAG3', 3]]
        """
        return overview.hosts(self.view)

    @property
    def captures(self) -> pd.DataFrame:
        """The files found, with the import status of each.

        Returns
        -------
        pandas.DataFrame
            path, kind, host_id, first_time and last_time (UTC), first_local and last_local, rows, bytes,
            status (docs/store.md), reason, is_superseded.

        Examples
        --------
        >>> set(case.captures["status"])
        {'ingested'}
        """
        return overview.captures(self.view)

    def relations(self) -> pd.DataFrame:
        """List the relations that `sql` can query; ``case["roles"]`` returns one as a frame.

        Returns
        -------
        pandas.DataFrame
            relation, and the meaning of a row. Columns are in docs/store.md.

        Examples
        --------
        >>> "seedings" in set(case.relations()["relation"])
        True
        """
        import pandas as pd

        return pd.DataFrame(list(named.relations().items()), columns=["relation", "one row per"])

    def recipes(self, relation: str | None = None) -> pd.DataFrame:
        """List example queries: five for each relation.

        Parameters
        ----------
        relation
            Name of a relation; only its queries.

        Returns
        -------
        pandas.DataFrame
            relation, task, and query, to be run with `sql`.

        Raises
        ------
        CaseError
            There is no relation of this name; the message names similar ones.

        Examples
        --------
        >>> case.sql(case.recipes("roles")["query"][0]).fetchall()[0][:2]
        ('JBSAG', 'JBSAG2')
        """
        import pandas as pd

        return pd.DataFrame(recipes_of(relation), columns=Recipe._fields)

    def report(
        self,
        out: str | Path | None = None,
        *,
        only: str | Iterable[str] = (),
        notebooks: Iterable[str | Path] = (),
        parameters: dict[str, Any] | None = None,
        pages: bool = True,
        single_file: bool = False,
        pdf: bool = False,
        progress: bool = False,
    ) -> ReportResult:
        """Write the report of the case, as ``agtrace report`` does, including findings added in Python.

        It covers the contents of the store: files added since are not read.

        Parameters
        ----------
        out, only, notebooks, parameters, pages, single_file, pdf, progress
            As in `agtrace.report.report`.

        Returns
        -------
        ReportResult
            index (the page to open), pages, findings, failures, missing, files.

        Raises
        ------
        CaseError
            The case is restricted to a part, or as in `agtrace.report.report`.
        """
        if not self.part.is_all:
            raise CaseError("a part of a case has no report", "ask the whole case, or a notebook of your own")
        # Imported on demand: the report depends on the case, not the other way round.
        made: ReportResult = import_module("agtrace.report").report(
            self.folder,
            out,
            only=only,
            notebooks=notebooks,
            parameters=parameters,
            store=self.store,
            ingest=False,
            pages=pages,
            single_file=single_file,
            pdf=pdf,
            progress=progress,
            added=self.added,
            **self.options,
        )
        return made

    def explore(self, name: str = "case") -> Explorer:
        """Open an explorer: choose hosts, counters, window and percentiles; it shows the code of each view.

        Parameters
        ----------
        name
            Name of the case's variable in the notebook, used in the code.

        Raises
        ------
        AgtraceError
            ipywidgets is not installed (the extra ``lab``), or no counters were captured.
        """
        from agtrace.interactive.explorer import Explorer

        return Explorer(self, name)
