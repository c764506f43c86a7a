"""Where two figures of the same trials, or two workloads, say opposite things."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from agtrace.diagnostics.workload.curves import RUN_TIME, Comparison
from agtrace.history.trials import Configuration, Tested
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class OfMetrics:
    """Two metrics of one workload disagree.

    Parameters
    ----------
    opposite
        Loads at which one says faster and the other slower.
    undecided
        Loads at which one decides and the other ties.
    """

    left: Comparison
    right: Comparison
    opposite: tuple[int, ...]
    undecided: tuple[int, ...]


@dataclass(frozen=True)
class Delivered:
    """Disk throughput of all hosts at one load: bytes per second, and in the whole run."""

    load: int
    first: float
    second: float
    first_s: float
    second_s: float

    @property
    def amount_ratio(self) -> float:
        """Return the second's bytes in a whole run over the first's."""
        return self.second * self.second_s / (self.first * self.first_s)


def of_metrics(comparisons: list[Comparison]) -> list[OfMetrics]:
    """Return the metrics of the same workload and configurations that contradict each other."""
    found = []
    for left, right in combinations(comparisons, 2):
        if left.workload != right.workload or left.pair != right.pair:
            continue
        other = {point.load: point.sign for point in right.points}
        signs = [(p.load, p.sign, other[p.load]) for p in left.points if p.load in other]
        opposite = tuple(load for load, a, b in signs if a * b < 0)
        undecided = tuple(load for load, a, b in signs if (a == 0) != (b == 0))
        if opposite:
            found.append(OfMetrics(left, right, opposite, undecided))
    return found


def delivered(comparison: Comparison, tested: Iterable[Tested]) -> list[Delivered]:
    """Return the disk throughput at each load of a comparison by run time, if captured."""
    rates: dict[tuple[Configuration, int], list[float]] = {}
    for each in tested:
        disks = [activity.disk for activity in each.activities.values()]
        if each.trial.workload == comparison.workload and disks and None not in disks:
            total = sum(disk for disk in disks if disk is not None)
            rates.setdefault((each.configuration, each.trial.load), []).append(total)
    found = []
    for point in comparison.points:
        first, second = (rates.get((c, point.load)) for c in comparison.pair)
        if first and second and fmean(first) > 0:
            seconds = fmean(point.first), fmean(point.second)
            found.append(Delivered(point.load, fmean(first), fmean(second), *seconds))
    return found


def of_disks(comparison: Comparison, points: list[Delivered], limits: Thresholds) -> list[Delivered]:
    """Return the loads at which the second is slower although its disks deliver more."""
    if comparison.metric is not RUN_TIME:
        return []
    slower = set(comparison.loads(-1))
    more = 1 + limits.tie_share
    return [point for point in points if point.load in slower and point.second > point.first * more]


def of_workloads(comparisons: list[Comparison]) -> tuple[Comparison, Comparison] | None:
    """Return two workloads with opposite trends over the load, the one that gains first."""
    turned = [c for c in comparisons if len(c.crossovers) == 1]
    for left, right in combinations(turned, 2):
        if left.tool != right.tool and left.pair == right.pair:
            up, down = left.crossovers[0].to_second, right.crossovers[0].to_second
            if up != down:
                return (left, right) if up else (right, left)
    return None
