"""The analysis of load tests."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.workload import figures, judge, setup, tables
from agtrace.diagnostics.workload.checks import CHECKS
from agtrace.diagnostics.workload.judge import SAID
from agtrace.diagnostics.workload.names import workload_name
from agtrace.diagnostics.workload.needs import NEEDS
from agtrace.diagnostics.workload.study import Study, study
from agtrace.history.trials import moments
from agtrace.measures import Measure
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


class Workload(Analysis):
    """Load tests (HammerDB, SQLQueryStress) of two or more configurations, over the load."""

    name = "workload"
    title = "Workload comparison"
    question = (
        "From which load on is one configuration faster than another, and what does it cost each replica?"
    )
    order = 60
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = tables.MEASURES

    @cached_property
    def study(self) -> Study:
        """Return all results for the case, computed once."""
        return study(self.view, self.sql)

    def findings(self) -> list[Finding]:
        """Return crossovers, contradictions, where reads went, and tests that failed."""
        return by_severity(judge.findings(self.study))

    def say_summary(self) -> str:
        """Return the answer in Markdown: the tests, then one paragraph per finding."""
        found = self.study
        return SAID.page(
            "summary",
            {
                "tests": len(found.trials),
                "workloads": [workload_name(workload) for workload in found.workloads],
                "configurations": found.names,
                "once": {c.n for c in found.comparisons} == {1},
                "builds": found.builds,
                "compares": bool(found.comparisons),
                "findings": self.findings(),
            },
        )

    def say_missing(self) -> str:
        """Return what is unknown, in Markdown; "" if nothing is."""
        trials = self.study.trials
        timed = [trial.start_us is not None and trial.end_us is not None for trial in trials]
        seen = [bool(activity) for activity in self.study.hosts.by_trial]
        facts = {
            "missing": self.missing(),
            "tests": len(trials),
            "untimed": timed.count(False),
            "blind": sum(known and not shown for known, shown in zip(timed, seen, strict=True)),
            "assumed_clock": any(trial.assumed_clock for trial in trials),
        }
        return SAID.page("missing", facts)

    def fig_curves(self) -> Figure:
        """Draw every metric over the load, one panel per workload and metric."""
        return figures.curves(self.study)

    def fig_progress(self) -> Figure:
        """Draw transactions per minute over each run, one panel per load, one line per run."""
        return figures.progress(self.study)

    def fig_hosts(self) -> Figure:
        """Draw the disk throughput of each host over the load, one panel per workload."""
        return figures.hosts(self.study, self.host_colours)

    def fig_reads(self) -> Figure:
        """Draw the batch requests that each host served, per workload and configuration."""
        return figures.reads(self.study, self.host_colours)

    def tbl_loads(self) -> pd.DataFrame:
        """Return both configurations at each load, by every metric: value, change, the faster one."""
        return tables.loads(self.study)

    def tbl_side_by_side(self) -> pd.DataFrame:
        """Return load, run time, TPM and MB/s of the disks of every host, configurations side by side."""
        return tables.side_by_side(self.study)

    def tbl_progress(self) -> pd.DataFrame:
        """Return the transaction counter's readings in each run: median, spread, transactions counted."""
        return tables.progress(self.study)

    def tbl_builds(self) -> pd.DataFrame:
        """Return each build of HammerDB's schema: its duration, and the disk writes during it."""
        return tables.builds(self.study)

    def tbl_setup(self) -> pd.DataFrame:
        """Return the test setup: servers, memory, routing list, options of the group; with sources."""
        during = moments(self.study.trials)
        rows = setup.rows(self.view, self.sql, during, self.study.memory, self.study.routes)
        return tables.setup(rows)

    def tbl_hosts(self) -> pd.DataFrame:
        """Return the activity of each host during each test: disk bytes/s, batch requests/s, CPU in %."""
        return tables.hosts(self.study)

    def tbl_trials(self) -> pd.DataFrame:
        """Return every test: tool, load, configuration, times (UTC), figures, source."""
        return tables.trials(self.study)
