"""The analysis of load tests."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.workload import contradictions, routed, summary
from agtrace.diagnostics.workload import findings as say
from agtrace.diagnostics.workload.needs import NEEDS
from agtrace.diagnostics.workload.study import Study, study
from agtrace.say.finding import Finding, by_severity

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

    @cached_property
    def study(self) -> Study:
        """Everything computed about the case, once."""
        return study(self.view, self.sql)

    def findings(self) -> list[Finding]:
        """Give crossovers, contradictions, where reads went, and tests that failed."""
        found = self.study
        if not found.trials:
            return []
        window = say.window_of(found.trials)
        made = [say.of_comparison(comparison, window) for comparison in found.comparisons]
        made += [
            say.of_metrics(c, window, found.courses) for c in contradictions.of_metrics(found.comparisons)
        ]
        for comparison in found.comparisons:
            against = contradictions.of_disks(comparison, found.delivered(comparison), found.limits)
            if against is not None:
                trials = found.trials_at(comparison, {point.load for point in against.points})
                made.append(say.of_disks(against, window, found.memory, trials))
        turned = contradictions.of_workloads(found.comparisons)
        if turned is not None:
            made.append(say.of_workloads(turned, window))
        made += routed.of_routing(found.routing, window, found.routes)
        made += say.of_failed(found.trials, window)
        return by_severity(made)

    def say_summary(self) -> str:
        """Give the answer in Markdown: what was tested, then one paragraph for each finding."""
        return summary.say(self.study, self.findings())

    def say_missing(self) -> str:
        """Give what stays open in Markdown; "" when nothing is."""
        return summary.say_missing(self.study, self.missing())

    def fig_curves(self) -> Figure:
        """Draw every metric over the load, one panel per workload and metric."""
        from agtrace.diagnostics.workload import figures

        return figures.curves(self.study)

    def fig_progress(self) -> Figure:
        """Draw transactions per minute over each run, one panel per load, one line per run."""
        from agtrace.diagnostics.workload import figures

        return figures.progress(self.study)

    def fig_hosts(self) -> Figure:
        """Draw the disk throughput of each host over the load, one panel per workload."""
        from agtrace.diagnostics.workload import figures

        return figures.hosts(self.study, self.host_colours)

    def fig_reads(self) -> Figure:
        """Draw the batch requests that each host served, per workload and configuration."""
        from agtrace.diagnostics.workload import figures

        return figures.reads(self.study, self.host_colours)

    def tbl_loads(self) -> pd.DataFrame:
        """Give both configurations at each load, by every metric: value, change, who is faster."""
        from agtrace.diagnostics.workload import tables

        return tables.loads(self.study)

    def tbl_side_by_side(self) -> pd.DataFrame:
        """Give load, run time, TPM and MB/s of the disks of every host, configurations side by side."""
        from agtrace.diagnostics.workload import tables

        return tables.side_by_side(self.study)

    def tbl_progress(self) -> pd.DataFrame:
        """Give what the transaction counter read over each run: median, spread, transactions counted."""
        from agtrace.diagnostics.workload import tables

        return tables.progress(self.study)

    def tbl_builds(self) -> pd.DataFrame:
        """Give each build of HammerDB's schema: how long it wrote, and what the disks wrote meanwhile."""
        from agtrace.diagnostics.workload import tables

        return tables.builds(self.study)

    def tbl_setup(self) -> pd.DataFrame:
        """Give what was tested on: servers, memory, routing list, options of the group; with sources."""
        from agtrace.diagnostics.workload import setup, tables
        from agtrace.history.trials.trial import moments

        during = moments(self.study.trials)
        rows = setup.rows(self.view, self.sql, during, self.study.memory, self.study.routes)
        return tables.setup(rows)

    def tbl_hosts(self) -> pd.DataFrame:
        """Give what each host did during each test: disk bytes/s, batch requests/s, CPU in percent."""
        from agtrace.diagnostics.workload import tables

        return tables.hosts(self.study)

    def tbl_trials(self) -> pd.DataFrame:
        """Give every test: tool, load, configuration, times (UTC), figures, source."""
        from agtrace.diagnostics.workload import tables

        return tables.trials(self.study)
