"""What an opened case offers to a person who looks around in it."""

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
"""What ``dir`` of a case lists beside its analyses."""


class Looking(Measuring, Telling, Questions):
    """The part of a case that shows, lists, draws and looks things up.

    Examples on this page are about the sample ``log_send_queue``, opened as ``case``.
    """

    folder: Path
    store: Path
    options: Mapping[str, Any]
    """How it was opened, by the names of `agtrace.open_case`."""
    view: CaseView
    part: Part
    added: list[Finding]
    failures: dict[str, Exception]
    """What analyses raised that failed, by name."""
    _judged: tuple[list[Finding], list[str]] | None = None

    # Names are looked up with brackets; there is nothing to count through.
    __iter__ = None

    def analysis(self, name: str) -> Analysis:
        """Return an analysis by name."""
        raise NotImplementedError

    def answers(self, name: str) -> list[Finding]:
        """Return the findings of one analysis; if it fails, a finding on that."""
        raise NotImplementedError

    def __dir__(self) -> list[str]:
        return [*OFFERED, *analyses()]

    def __repr__(self) -> str:
        try:
            return overview.text(self.view, self._name, *self._worst())
        except Exception as error:
            # Closed, or its store is gone: whoever prints a traceback is told no second one.
            return f"<Case {plain(self.folder.name)}: {type(error).__name__}>"

    @property
    def _name(self) -> str:
        return ", ".join(filter(None, [self.folder.resolve().name, self.part.called]))

    def _repr_html_(self) -> str:
        return overview.page(self.view, self._name, *self._worst())

    def _worst(self) -> tuple[list[Finding], list[str]]:
        """Return all findings, and the analyses that fail; this overview does not show failures."""
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
        """Hosts that left captures, with the span that they cover.

        Returns
        -------
        pandas.DataFrame
            host_id, aliases, captures, kinds, first_time and last_time (UTC), first_local and last_local
            (the host's own time), zone; a row without host for files of which nothing tells it.

        Examples
        --------
        >>> case.hosts[["host_id", "captures"]].values.tolist()
        [['JBSAG1', 3], ['JBSAG2', 5], ['JBSAG3', 3]]
        """
        return overview.hosts(self.view)

    @property
    def captures(self) -> pd.DataFrame:
        """Files that were found, with what became of each.

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
        """List the relations that `sql` can be asked for; ``case["roles"]`` gives one as a frame.

        Returns
        -------
        pandas.DataFrame
            relation, and what one row of it is. docs/store.md has their columns.

        Examples
        --------
        >>> "seedings" in set(case.relations()["relation"])
        True
        """
        import pandas as pd

        return pd.DataFrame(list(named.relations().items()), columns=["relation", "one row per"])

    def recipes(self, relation: str | None = None) -> pd.DataFrame:
        """List queries to begin with: five of each relation.

        Parameters
        ----------
        relation
            Only its own.

        Returns
        -------
        pandas.DataFrame
            relation, task, and query, which `sql` takes.

        Raises
        ------
        CaseError
            No relation has this name; the message names the nearest.

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
        """Write the report of the case, as ``agtrace report`` does, with the findings that you added.

        It is of what the store holds: files that came later are not read.

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
            It is a part of a case, or as in `agtrace.report.report`.
        """
        if not self.part.is_all:
            raise CaseError("a part of a case has no report", "ask the whole case, or a notebook of your own")
        # The report rests on a case, which does not rest on it: only who asks for one loads it.
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
        """Look around with the mouse: hosts, counters, a window, percentiles; and the code of each picture.

        Parameters
        ----------
        name
            What the notebook calls the case, for the code.

        Raises
        ------
        AgtraceError
            ipywidgets is not installed (the extra ``lab``), or no counters were captured.
        """
        from agtrace.interactive.explorer import Explorer

        return Explorer(self, name)
