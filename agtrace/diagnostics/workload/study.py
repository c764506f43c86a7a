"""Everything computed about the workloads of a case, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agtrace import thresholds
from agtrace.diagnostics.base import View
from agtrace.diagnostics.workload.configurations import Configuration, assign, baseline_first
from agtrace.diagnostics.workload.contradictions import Delivered, delivered
from agtrace.diagnostics.workload.curves import Comparison, compare
from agtrace.diagnostics.workload.hosts import Hosts, read_hosts
from agtrace.diagnostics.workload.metrics import METRICS, RUN_TIME
from agtrace.diagnostics.workload.routing import Routing, decide
from agtrace.history.trials.trial import Trial, read
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Study:
    """The trials of a case and what they say."""

    trials: list[Trial]
    configurations: list[Configuration]
    hosts: Hosts
    comparisons: list[Comparison]
    routing: list[Routing]
    limits: Thresholds

    def delivered(self, comparison: Comparison) -> list[Delivered]:
        """Give the disk throughput of all hosts at each load, where it was captured."""
        if comparison.metric is not RUN_TIME:
            return []
        return delivered(comparison, self.trials, self.configurations, self.hosts)


def study(view: View, sql: Callable[[str], str]) -> Study:
    """Read the trials, what the hosts did meanwhile, and compare every configuration."""
    limits = thresholds.of(view)
    trials = read(view)
    windows = view.table(sql("windows.sql")).to_pylist() if trials else []
    configurations = assign(trials, windows)
    hosts = read_hosts(view, sql, trials)
    workloads = list(dict.fromkeys(trial.workload for trial in trials))
    comparisons: list[Comparison] = []
    routing: list[Routing] = []
    for workload in workloads:
        own = [c for t, c in zip(trials, configurations, strict=True) if t.workload == workload]
        first, *others = baseline_first(own)
        for metric in METRICS:
            for other in others:
                made = compare(workload, metric, trials, configurations, (first, other), limits)
                if made is not None:
                    comparisons.append(made)
        routed = decide(workload, trials, configurations, hosts, limits)
        if routed is not None:
            routing.append(routed)
    return Study(trials, configurations, hosts, comparisons, routing, limits)
