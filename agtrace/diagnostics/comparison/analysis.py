"""The analysis of runs side by side."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.comparison import judge, pages
from agtrace.diagnostics.comparison.needs import NEEDS
from agtrace.diagnostics.comparison.study import Asked, Study, study
from agtrace.say.finding import Finding, by_severity

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


class Comparison(Analysis):
    """Two or more runs side by side: ways to bring a database to a secondary, or labelled windows.

    Parameters
    ----------
    view
        The opened case.
    database
        Only runs of this database.
    start, end
        Only runs that begin from ``start`` (included) to ``end`` (left out), UTC.
    baseline
        What the others are compared with: label, run id or number of a run. None: the plain one.
    """

    name = "comparison"
    title = "Comparison"
    question = "Which way of bringing a database to a secondary is faster, by how much, and at what cost?"
    order = 51
    needs = NEEDS

    def __init__(
        self,
        view: View,
        *,
        database: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        baseline: str | None = None,
    ) -> None:
        super().__init__(view)
        wanted = None if baseline is None else str(baseline)
        self.asked = Asked(database or None, start, end, wanted or None)

    @cached_property
    def study(self) -> Study:
        """Everything computed about the runs, once."""
        return study(self.view, self.asked)

    def missing(self) -> list[str]:
        """Say what it takes to compare at all; empty when two runs of one database were captured."""
        return pages.missing(self.study)

    @cached_property
    def _findings(self) -> list[Finding]:
        return judge.findings(self.study)

    def findings(self) -> list[Finding]:
        """Give one finding per pair: each run against the baseline, and against the one before it."""
        return by_severity(self._findings)

    def say_summary(self) -> str:
        """Give the answer in Markdown: which runs there are, then one paragraph for each pair."""
        return pages.say(self.study, self._findings)

    def say_contradictions(self) -> str:
        """Give figures of one run that cannot all be true, in Markdown; "" when they fit."""
        return pages.say_contradictions(self.study)

    def say_missing(self) -> str:
        """Give what stays open in Markdown; "" when nothing is."""
        return pages.say_missing(self.study)

    def fig_durations(self) -> Figure:
        """Draw the steps of each run one behind the other."""
        from agtrace.diagnostics.comparison import figures

        return figures.durations(self.study)

    def fig_aligned(self) -> Figure:
        """Draw wire, disks and CPU of the runs over the seconds since each began."""
        from agtrace.diagnostics.comparison import figures

        return figures.aligned(self.study, self.view)

    def tbl_runs(self) -> pd.DataFrame:
        """Give every run: what it is, from where to where, when, how long, and its stream."""
        from agtrace.diagnostics.comparison import tables

        return tables.runs(self.study)

    def tbl_steps(self) -> pd.DataFrame:
        """Give the steps of each run with their durations, and the total."""
        from agtrace.diagnostics.comparison import tables

        return tables.steps(self.study)

    def tbl_resources(self) -> pd.DataFrame:
        """Give n, mean and percentiles of CPU, disks and network of both hosts, by run and step."""
        from agtrace.diagnostics.comparison import tables

        return tables.resources(self.study)

    def tbl_per_byte(self) -> pd.DataFrame:
        """Give what each resource moved per byte of the database, run beside run."""
        from agtrace.diagnostics.comparison import tables

        return tables.per_byte(self.study)
