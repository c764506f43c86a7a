"""What an opened case offers to a person who looks around in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import interrupts
from agtrace.diagnostics import Analysis, Finding, analyses
from agtrace.interactive import named, overview
from agtrace.interactive.around import around
from agtrace.interactive.asked import hosts_meant, kinds_meant
from agtrace.say.finding import by_severity
from agtrace.say.words import plain
from agtrace.store import CaseView

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

    from agtrace.interactive.explorer import Explorer

OFFERED = (
    "around", "backups", "captures", "close", "counters", "errorlog", "events", "explore",
    "explore_changes", "findings", "folder", "hosts", "perfmon", "plot", "relations", "roles", "seedings",
    "sql", "thresholds", "timeline", "trials", "unanswered", "what_if",
)  # fmt: skip
"""What ``dir`` of a case lists beside its analyses."""


class Looking:
    """The part of a case that shows, lists, draws and looks things up.

    Examples on this page are about the sample ``log_send_queue``, opened as ``case``.
    """

    folder: Path
    view: CaseView
    failures: dict[str, Exception]
    """What analyses raised that failed, by name."""
    _judged: tuple[list[Finding], list[str]] | None = None

    # Names are looked up with brackets; there is nothing to count through.
    __iter__ = None

    def analysis(self, name: str) -> Analysis:
        """Give an analysis by name."""
        raise NotImplementedError

    def answers(self, name: str) -> list[Finding]:
        """Give the findings of one analysis; of one that fails, the finding that says so."""
        raise NotImplementedError

    def __dir__(self) -> list[str]:
        return [*OFFERED, *analyses()]

    def __repr__(self) -> str:
        try:
            return overview.text(self.view, self.folder.resolve().name, *self._worst())
        except Exception as error:
            # Closed, or its store is gone: whoever prints a traceback is told no second one.
            return f"<Case {plain(self.folder.name)}: {type(error).__name__}>"

    def _repr_html_(self) -> str:
        return overview.page(self.view, self.folder.resolve().name, *self._worst())

    def _worst(self) -> tuple[list[Finding], list[str]]:
        """Give all findings, and the analyses that fail: a look at the case is no place for that."""
        if self._judged is None:
            self._judged = self._judge()
        return self._judged

    def _judge(self) -> tuple[list[Finding], list[str]]:
        found: list[Finding] = []
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
        """Give what can be typed in quotes in a call of a method, for `agtrace.interactive.completion`."""
        if keyword == "host":
            return [row["host_id"] for row in self.view.rows("SELECT host_id FROM hosts ORDER BY 1")]
        if keyword == "mark":
            from agtrace.interactive.plots import MARKS

            return list(MARKS)
        if keyword:
            return []
        if method == "events":
            return named.event_names(self.view)
        if method in ("perfmon", "plot", "counters", "percentiles"):
            return named.counter_names(self.view)
        return list(named.relations()) if method == "sql" else []

    @property
    def hosts(self) -> pd.DataFrame:
        """Hosts that left captures, with the span that they cover.

        Returns
        -------
        pandas.DataFrame
            host, aliases, captures, kinds, first and last (UTC), first_local and last_local (the
            host's own time), zone; a row without host for files of which nothing tells it.

        Examples
        --------
        >>> case.hosts[["host", "captures"]].values.tolist()
        [['JBSAG1', 3], ['JBSAG2', 5], ['JBSAG3', 3]]
        """
        return overview.hosts(self.view)

    @property
    def captures(self) -> pd.DataFrame:
        """Files that were found, with what became of each.

        Returns
        -------
        pandas.DataFrame
            path, kind, host, first and last (UTC), first_local and last_local, rows, bytes, status
            (docs/store.md), reason, is_superseded.

        Examples
        --------
        >>> set(case.captures["status"])
        {'ingested'}
        """
        return overview.captures(self.view)

    def counters(
        self,
        counter: str | Iterable[str] = "*",
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
    ) -> pd.DataFrame:
        """List the perfmon series that were captured, each once.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send*"), or "Object\\\\Counter" globs.
        host, instance
            Globs that narrow it; a host by any spelling of its name.

        Returns
        -------
        pandas.DataFrame
            host, sql_instance, object, instance, counter, unit, captures, first, last (UTC),
            first_local, last_local.

        Raises
        ------
        CaseError
            No such series was captured; the message names the nearest.

        Examples
        --------
        >>> sorted(set(case.counters("Log Send*")["counter"]))
        ['Log Send Queue']
        """
        return named.series(self.view, counter, host, instance)

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

    def timeline(
        self, host: str | Iterable[str] | None = None, kind: str | Iterable[str] | None = None
    ) -> pd.DataFrame:
        """Give what happened to the groups and their servers, in order of time.

        Parameters
        ----------
        host
            Only this host's or these hosts', by any spelling of a name or a glob.
        kind
            Only this kind or these, by name or glob (docs/store.md lists them).

        Returns
        -------
        pandas.DataFrame
            Relation ``timeline`` of docs/store.md; ``time`` in UTC, clocks of hosts brought together.

        Raises
        ------
        CaseError
            The case has no such host, or the timeline no such kind.

        Examples
        --------
        >>> case.timeline(host="JBSAG1")["host_id"].unique().tolist()
        ['JBSAG1']
        """
        hosts, kinds = hosts_meant(self.view, host), kinds_meant(self.view, kind)
        return self.view.table(
            "SELECT * FROM timeline WHERE ($kinds IS NULL OR list_contains($kinds, kind)) "
            "AND ($hosts IS NULL OR list_contains($hosts, host_id)) ORDER BY time NULLS LAST, time_local",
            {"kinds": kinds, "hosts": None if hosts is None else sorted(hosts)},
        ).to_pandas()

    def plot(
        self,
        *counters: str,
        host: str | Sequence[str] | None = None,
        instance: str | None = None,
        mark: str | Sequence[str] = (),
        together: bool = False,
        begin: str | datetime | None = None,
        end: str | datetime | None = None,
    ) -> Figure:
        """Draw counters over time: a panel for each counter, a line for each host and instance.

        Every series is drawn at its own ticks, and no line crosses a gap. Bytes are shown in the
        multiple that suits.

        Parameters
        ----------
        counters
            Names or globs, as in `perfmon`.
        host
            One host or several; default all.
        instance
            Glob of databases, disks, network cards; without one, ``_Total`` is left out where the
            parts are there.
        mark
            What to mark: ``"roles"`` (changes of role of these hosts), ``"failovers"``,
            ``"timeline"``, or several of them.
        together
            Draw all counters on one axis; they are of one unit then.
        begin, end
            Moments, UTC where they name no zone; where UTC is not known for one of the series, all
            are drawn in local time, and so are these.

        Raises
        ------
        CaseError
            No such series or sample, or too many counters for one figure.

        Examples
        --------
        >>> asked = "Log Send Queue", "Log Bytes Received/sec"
        >>> figure = case.plot(*asked, host=["JBSAG2", "JBSAG3"], mark="roles")
        >>> figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text
        ('MB', 'KB/s')
        """
        from agtrace.interactive.plots import Window, plot

        window = Window.of(begin, end)
        return plot(
            self.view, counters, host=host, instance=instance, mark=mark, together=together, window=window
        )

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

    def around(
        self,
        at: str | datetime,
        minutes: float = 5,
        *,
        host: str | Iterable[str] | None = None,
        local: bool = False,
    ) -> pd.DataFrame:
        """Give everything that was logged around a moment: ERRORLOGs, Extended Events, cluster and event
        logs.

        Parameters
        ----------
        at
            The moment, ISO 8601; UTC where it names no zone.
        minutes
            How much before and after it.
        host
            Only this host's or these hosts', by any spelling of a name or a glob.
        local
            The moment is in the local time of the hosts, as their ERRORLOGs write it.

        Returns
        -------
        pandas.DataFrame
            time_utc (NaT where it is not known), time_local (of the host; NaT where not known), host,
            source (ERRORLOG, cluster log, Windows event log, or the name of the event), text, file and line
            (of an event its number in the file, from 0) where it stands; in order of time.
            ``attrs["window"]`` says the window and its clock.

        Raises
        ------
        CaseError
            It is no moment, or no length of time, or the case has no such host.

        Examples
        --------
        >>> found = case.around("2019-08-20 12:21", minutes=5)
        >>> found.attrs["window"], len(found) > 10
        ('2019-08-20 12:16:00 to 2019-08-20 12:26:00 UTC', True)
        """
        return around(self.view, at, minutes, host=host, local=local)
