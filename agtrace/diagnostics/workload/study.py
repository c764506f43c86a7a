"""Everything computed about the workloads of a case, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from agtrace import thresholds
from agtrace.diagnostics.base import View
from agtrace.diagnostics.workload.configurations import Configuration, Workload, assign, baseline_first, users
from agtrace.diagnostics.workload.contradictions import Delivered, Tested, delivered
from agtrace.diagnostics.workload.courses import Course, courses
from agtrace.diagnostics.workload.curves import RUN_TIME, Comparison, compare, metrics_of
from agtrace.diagnostics.workload.hosts import Hosts, read_hosts
from agtrace.diagnostics.workload.memory_and_routes import Memory, Routes, read_memory, read_routes
from agtrace.diagnostics.workload.reads import Routing, decide
from agtrace.history.runs import labelled_windows
from agtrace.history.trials.trial import BUILD, Trial, read
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Study:
    """The trials of a case and what they say."""

    trials: list[Trial]
    configurations: list[Configuration]
    hosts: Hosts
    comparisons: list[Comparison]
    routing: list[Routing]
    courses: list[Course]
    memory: Memory
    routes: Routes
    limits: Thresholds

    @property
    def tested(self) -> Iterator[Tested]:
        """Each test with its configuration and what every host did meanwhile."""
        return zip(self.trials, self.configurations, self.hosts.by_trial, strict=True)

    @property
    def workloads(self) -> list[Workload]:
        """What was tested, in the order of the tests."""
        return list(dict.fromkeys(trial.workload for trial in self.trials))

    @property
    def names(self) -> list[str]:
        """What the configurations are called, each once."""
        return list(dict.fromkeys(configuration.name for configuration in self.configurations))

    @property
    def builds(self) -> list[dict[str, Any]]:
        """Give each build of a schema: how long it wrote, and what the disks wrote meanwhile, by host."""
        return [
            {
                "trial": trial,
                "users": users(trial.workload, trial.load),
                "seconds": trial.values.get("elapsed_s"),
                "written": [
                    (host, activity.disk_written)
                    for host, activity in activities.items()
                    if activity.disk_written is not None
                ],
            }
            for trial, _configuration, activities in self.tested
            if trial.driver == BUILD
        ]

    def delivered(self, comparison: Comparison) -> list[Delivered]:
        """Give the disk throughput of all hosts at each load, where it was captured."""
        return delivered(comparison, self.tested) if comparison.metric is RUN_TIME else []

    def trials_at(self, comparison: Comparison, loads: set[int]) -> list[Trial]:
        """Give the trials of both configurations of a comparison at some loads."""
        keys = (comparison.first.key, comparison.second.key)
        return [
            trial
            for trial, configuration, _activities in self.tested
            if trial.workload == comparison.workload and trial.load in loads and configuration.key in keys
        ]


def study(view: View, sql: Callable[[str], str]) -> Study:
    """Read the trials, what the hosts did meanwhile, and compare every configuration."""
    limits = thresholds.of(view)
    trials = read(view)
    windows = labelled_windows(view) if trials else []
    configurations = assign(trials, windows)
    hosts = read_hosts(view, sql, trials)
    comparisons: list[Comparison] = []
    routing: list[Routing] = []
    for workload in dict.fromkeys(trial.workload for trial in trials):
        own = [c for t, c in zip(trials, configurations, strict=True) if t.workload == workload]
        metrics = metrics_of(trial for trial in trials if trial.workload == workload)
        first, *others = baseline_first(own)
        for metric in metrics:
            for other in others:
                made = compare(workload, metric, trials, configurations, (first, other), limits)
                if made is not None:
                    comparisons.append(made)
        routed = decide(workload, trials, configurations, hosts, limits)
        if routed is not None:
            routing.append(routed)
    memory, routes = read_memory(view, sql), read_routes(view, sql)
    drawn = courses(trials, configurations)
    return Study(trials, configurations, hosts, comparisons, routing, drawn, memory, routes, limits)
