"""The analysis of runs side by side."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.comparison import figures, judge, tables
from agtrace.diagnostics.comparison.checks import CHECKS
from agtrace.diagnostics.comparison.needs import NEEDS, RUNS
from agtrace.diagnostics.comparison.study import SAID, Asked, Group, Study, study
from agtrace.history import check_database
from agtrace.history.transfers import GIVEN
from agtrace.measures import Measure
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


ROWS = 12
"""Runs in the summary's table; the table below has all."""
GROUPS = 12
"""Databases whose runs are in the summary."""


class Comparison(Analysis):
    """Two or more runs side by side: methods of copying a database to a secondary, or labelled windows.

    Parameters
    ----------
    view
        The opened case.
    database
        Only runs of this database.
    start, end
        Only runs that start between ``start`` (included) and ``end`` (excluded), UTC.
    baseline
        The run to compare with: its label, run id or number. None: the run without changes.
    """

    name = "comparison"
    title = "Comparison"
    question = "Which way of bringing a database to a secondary is faster, by how much, and at what cost?"
    order = 51
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = tables.MEASURES

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
        check_database(view, database)
        wanted = None if baseline is None else str(baseline)
        self.asked = Asked(database or None, start, end, wanted or None)

    @classmethod
    def check(cls, view: View, **given: Any) -> None:
        """Check the name of the database, and that the baseline is a run."""
        check_database(view, given.get("database"))
        if baseline := given.get("baseline"):
            # The runs are known only after the comparison.
            cls(view, baseline=baseline).missing()

    @cached_property
    def study(self) -> Study:
        """Return the comparison of all runs, computed once."""
        return study(self.view, self.asked)

    def missing(self) -> list[str]:
        """Return the input that a comparison lacks; empty if two runs of one database were captured."""
        return missing(self.study)

    @cached_property
    def _findings(self) -> list[Finding]:
        return judge.findings(self.study)

    def findings(self) -> list[Finding]:
        """Return one finding per pair: each run against the baseline, and against the one before it."""
        return by_severity(self._findings)

    def say_summary(self) -> str:
        """Return the answer in Markdown: the runs, then one paragraph per pair."""
        return summary(self.study, self._findings)

    def say_contradictions(self) -> str:
        """Return figures of one run that cannot all be true, in Markdown; "" if they fit."""
        against = self.study.contradictions
        told = [(number, text) for number, texts in against.items() for text in texts]
        return SAID.page("contradictions", {"told": told})

    def say_missing(self) -> str:
        """Return what is unknown, in Markdown; "" if nothing is."""
        return SAID.page("missing", {"told": self.missing() or self.study.open})

    def fig_durations(self) -> Figure:
        """Draw the steps of each run one behind the other."""
        return figures.durations(self.study)

    def fig_aligned(self) -> Figure:
        """Draw wire, disks and CPU of the runs over the seconds since each began."""
        return figures.aligned(self.study, self.view)

    def tbl_runs(self) -> pd.DataFrame:
        """Return every run: its kind, source and target, start, duration, and stream."""
        return tables.runs(self.study)

    def tbl_steps(self) -> pd.DataFrame:
        """Return the steps of each run with their durations, and the total."""
        return tables.steps(self.study)

    def tbl_resources(self) -> pd.DataFrame:
        """Return n, mean and percentiles of CPU, disks and network of both hosts, by run and step."""
        return tables.resources(self.study)

    def tbl_per_byte(self) -> pd.DataFrame:
        """Return the bytes moved by each resource per byte of the database, for all runs."""
        return tables.per_byte(self.study)


def missing(found: Study) -> list[str]:
    """Return the input that a comparison lacks."""
    if found.groups:
        return []
    if not found.runs:
        return [RUNS.plea, *found.open]
    name = "windows" if all(run.method == GIVEN for run in found.runs) else "databases"
    facts = {"runs": found.runs, "capture": RUNS.capture}
    return [SAID.text(f"missing.{'one' if len(found.runs) == 1 else name}.text", facts), *found.open]


def summary(found: Study, findings: list[Finding]) -> str:
    """Return the compared runs, then the findings, in Markdown."""
    return SAID.page(
        "summary",
        {
            "groups": [_group(group) for group in found.groups[:GROUPS]],
            "more": len(found.groups) - GROUPS,
            "findings": findings,
            "missing": missing(found),
        },
    )


def _group(group: Group) -> dict[str, Any]:
    names = {run.number: c.full_name for c in group.configurations for run in c.runs}
    return {
        "of_windows": group.runs[0].method == GIVEN,
        "database": group.database,
        "base": group.base.full_name,
        "once": all(c.n == 1 for c in group.configurations),
        "n": len(group.runs),
        "rows": [(run, names[run.number]) for run in group.runs[:ROWS]],
    }
