"""A case: a folder of captures, ingested, resolved and ready for questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agtrace import globs, interrupts, settings, thresholds
from agtrace.diagnostics import Analysis, Finding, analyses, by_severity, failed
from agtrace.diagnostics.overview import Overview
from agtrace.errors import AgtraceError, CaseError, RelationError
from agtrace.ingest import IngestReport
from agtrace.interactive import completion, named
from agtrace.interactive.asked import Moment, in_utc, part_meant
from agtrace.interactive.looking import Looking
from agtrace.moments import Window
from agtrace.resolve import Resolved
from agtrace.say.finding import Findings
from agtrace.series import Steps, chosen, one_below_the_other, side_by_side
from agtrace.store import CaseView
from agtrace.store.part import WHOLE, Part

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

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
    part
        The part of another case that it is itself; of a whole case nothing is left out.
    """

    unlocked: Callable[[], CaseView]
    part_of: Callable[[Case, Part], Case]
    part: Part = WHOLE


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
        if name in self.failures:
            return [failed.finding(name, self.failures[name])]
        # What a part leaves out may well have been captured.
        return found if self.part.is_all else [each for each in found if each.id != NOT_CAPTURED]

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

    def window(
        self,
        start: Moment | None = None,
        end: Moment | None = None,
        *,
        host: str | Iterable[str] | None = None,
        tz: str = "UTC",
    ) -> Case:
        """Give a case that sees only a stretch of time, and some hosts: every method, findings included.

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
        >>> part = case.window("2019-08-20 12:00", "2019-08-20 12:10", host="JBSAG3")
        >>> part.hosts["host_id"].tolist(), len(part.perfmon("Log Send Queue"))
        (['JBSAG3'], 120)
        """
        part = in_utc(self.view, part_meant(self.view, host, start, end, tz))
        return self._opened.part_of(self, part.of(self.part))

    def perfmon(
        self,
        counter: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str = "mean",
        tz: str = "UTC",
        tidy: bool = False,
        exact: bool = False,
    ) -> pd.DataFrame:
        """Give perfmon series side by side, so that they can be plotted and compared.

        Hosts take their samples at moments of their own. The rows are those of the series with the
        shortest interval; each other series gives the sample nearest to a row, when it lies within
        half of its own interval. ``exact`` leaves every sample at its own time.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send Queue", "Log*"), or "Object\\Counter" globs, or several.
        every
            Steps of this length ("10s", "5min") instead: one grid for all series. A row is named by the
            begin of its step; steps without any sample are left out.
        how
            What of each step: mean, median, min, max, or a percentile such as ``"p95"``.
        tidy
            Long form: time, host_id, object, instance, counter, value, unit; a row per sample or step.
        exact
            A row for every moment at which any of the series has a sample.
        host, instance, start, end, tz
            As everywhere (docs/lab.md).

        Returns
        -------
        pandas.DataFrame
            Columns by host, object, instance ("" where there is none) and counter; missing samples are
            NaN. The index is ``time``, or ``time_local`` without zone where UTC is not known of a series.
            ``attrs["units"]`` has the unit of each counter that the catalogue knows.

        Raises
        ------
        CaseError
            No such series was captured, the message names the nearest; or a word is not understood.

        Examples
        --------
        >>> frame = case.perfmon("Log Send Queue", host="JBSAG3", every="1h", how="p95")
        >>> frame.columns.tolist(), frame.attrs["units"]
        ([('JBSAG3', 'SQLServer:Database Replica', 'JBDB', 'Log Send Queue')], {'Log Send Queue': 'KB'})
        """
        window, steps = Window.of(start, end, tz), Steps.of(every, how)
        captured = self.view.rows("SELECT * FROM counters ORDER BY counter_id")
        found = chosen(captured, counter, host, instance)
        units = {
            found[row["counter_id"]][3]: row["unit"]
            for row in captured
            if row["counter_id"] in found and row["unit"]
        }
        if tidy:
            frame = one_below_the_other(self.view, found, window, steps=steps)
            frame["unit"] = frame["counter"].map(units).astype("category")
        else:
            frame = side_by_side(self.view, found, window, exact=exact, steps=steps)
        frame.attrs["units"] = units
        return frame
