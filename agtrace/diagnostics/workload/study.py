"""Everything computed about the workloads of a case, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agtrace import thresholds
from agtrace.diagnostics.base import View
from agtrace.diagnostics.workload.contradictions import Delivered, delivered
from agtrace.diagnostics.workload.curves import RUN_TIME, Comparison, Course, compare, courses, metrics_of
from agtrace.diagnostics.workload.names import users
from agtrace.diagnostics.workload.reads import Routing, decide
from agtrace.diagnostics.workload.setup import Memory, Routes, basic, read_memory, read_routes
from agtrace.history.runs import labelled_windows
from agtrace.history.trials import (
    BUILD,
    Hosts,
    Tested,
    Trial,
    Workload,
    baseline_first,
    configure,
    moments,
    read_hosts,
    read_trials,
)
from agtrace.say.words import plain
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Study:
    """The trials of a case and what they say."""

    trials: list[Trial]
    tested: list[Tested]
    hosts: Hosts
    comparisons: list[Comparison]
    routing: list[Routing]
    courses: list[Course]
    memory: Memory
    routes: Routes
    limits: Thresholds

    @property
    def workloads(self) -> list[Workload]:
        """Return the tested workloads, in the order of the tests."""
        return list(dict.fromkeys(trial.workload for trial in self.trials))

    @property
    def names(self) -> list[str]:
        """Return the names of the configurations, without duplicates."""
        return list(dict.fromkeys(each.configuration.name for each in self.tested))

    @property
    def builds(self) -> list[dict[str, Any]]:
        """Return each build of a schema: its duration, and the disks' writes meanwhile, by host."""
        return [
            {
                "trial": each.trial,
                "users": users(each.trial.workload, each.trial.load),
                "seconds": each.trial.values.get("elapsed_s"),
                "activities": {
                    host: own for host, own in each.activities.items() if own.disk_written is not None
                },
            }
            for each in self.tested
            if each.trial.driver == BUILD
        ]

    def delivered(self, comparison: Comparison) -> list[Delivered]:
        """Return the disk throughput of all hosts at each load, if captured."""
        return delivered(comparison, self.tested) if comparison.metric is RUN_TIME else []

    def trials_at(self, comparison: Comparison, loads: set[int]) -> list[Trial]:
        """Return the trials of both configurations of a comparison at some loads."""
        own = (each.trial for each in self.tested if each.configuration in comparison.pair)
        return [trial for trial in own if trial.workload == comparison.workload and trial.load in loads]


def study(view: View, sql: Callable[[str], str]) -> Study:
    """Read the trials, what the hosts did meanwhile, and compare every configuration."""
    limits = thresholds.of(view)
    trials = read_trials(view)
    windows = labelled_windows(view) if trials else []
    found = (replace(each, name=plain(each.name, 60)) for each in configure(trials, windows))
    of = {place: each for each in found for place in each.runs}
    hosts = read_hosts(view, trials, basic(view, sql, moments(trials)))
    tested = [Tested(trial, of[n], hosts.by_trial[n]) for n, trial in enumerate(trials)]
    comparisons: list[Comparison] = []
    routing: list[Routing] = []
    for workload in dict.fromkeys(trial.workload for trial in trials):
        own = [each for each in tested if each.trial.workload == workload]
        first, *others = baseline_first(each.configuration for each in own)
        for metric in metrics_of(each.trial for each in own):
            made = (compare(workload, metric, own, (first, other), limits) for other in others)
            comparisons += [one for one in made if one is not None]
        routed = decide(workload, own, hosts, limits)
        if routed is not None:
            routing.append(routed)
    memory, routes = read_memory(view, sql), read_routes(view, sql)
    return Study(trials, tested, hosts, comparisons, routing, courses(tested), memory, routes, limits)
