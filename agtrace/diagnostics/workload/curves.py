"""Curves over the load: where one configuration overtakes another, with an interval where it can be had.

Two configurations compare at the loads that both were tested at. With one trial per point there is
no spread to be seen and no interval is claimed; HammerDB repeats within about 1 %
(documentation, "HammerDB TPROC-C workload"), so a difference below ``tie_share`` is a tie.

And transactions per minute over the course of each run: what a median of them and a run time leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import mul
from statistics import median, quantiles
from typing import Any

import numpy as np

from agtrace.diagnostics.workload.names import tool_of, users
from agtrace.history.trials import Configuration, Tested, Trial, Workload
from agtrace.measure.statistics import Sample, carries_interval, differ, middle
from agtrace.measures import Measure, Measured
from agtrace.thresholds import Thresholds

NOPM = Measure("nopm", "new orders per minute (NOPM)", "1/min", better="higher")
TPM = Measure("tpm", "transactions per minute (TPM)", "1/min", better="higher")
RUN_TIME = Measure("elapsed_s", "run time", "s", better="lower")
METRICS = (NOPM, TPM, RUN_TIME)
"""The measures used to compare trials, by their names in `Trial.values`."""


def metrics_of(trials: Iterable[Trial]) -> tuple[Measure, ...]:
    """Return the figures that compare trials of one workload, with values in their own unit."""
    units = dict.fromkeys(
        (trial.unit or "", bool(trial.is_more_better)) for trial in trials if "value" in trial.values
    )
    given = (Measure("value", "value", unit, better="higher" if more else "lower") for unit, more in units)
    return (*METRICS, *given)


@dataclass(frozen=True)
class Point:
    """Two configurations at one load.

    Parameters
    ----------
    first, second
        The values of the trials of each.
    sign
        +1 where the second is faster, -1 where it is slower, 0 for a tie.
    change
        The second's median over the first's, minus 1.
    """

    load: int
    first: tuple[float, ...]
    second: tuple[float, ...]
    sign: int
    change: float

    @property
    def n(self) -> int:
        return min(len(self.first), len(self.second))

    @property
    def samples(self) -> tuple[Sample, Sample]:
        """The trials of each; those of every load are drawn independently."""
        stream = 2 * self.load
        return Sample(np.array(self.first), stream), Sample(np.array(self.second), stream + 1)


@dataclass(frozen=True)
class Crossover:
    """Between which tested loads the sign turns, and the interval of the load where it does.

    Parameters
    ----------
    below, above
        The tested loads on both sides.
    to_second
        Whether the second is the faster one above it.
    interval
        95 % of the bootstrap draws; None where a point has fewer trials than an interval needs, or
        where fewer than 95 % of the draws cross at all.
    """

    below: int
    above: int
    to_second: bool
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Comparison:
    """Two configurations of one workload over the load, by one metric."""

    workload: Workload
    metric: Measure
    first: Configuration
    second: Configuration
    points: tuple[Point, ...]
    crossovers: tuple[Crossover, ...]

    @property
    def pair(self) -> tuple[Configuration, Configuration]:
        return self.first, self.second

    @property
    def tool(self) -> str:
        return tool_of(self.workload)

    @property
    def n(self) -> int:
        """Trials per point, the fewest."""
        return min(point.n for point in self.points)

    def loads(self, sign: int) -> list[int]:
        """Return the loads at which the second is faster (1), slower (-1) or the same (0)."""
        return [point.load for point in self.points if point.sign == sign]


def compare(
    workload: Workload,
    metric: Measure,
    tested: Iterable[Tested],
    pair: tuple[Configuration, Configuration],
    limits: Thresholds,
) -> Comparison | None:
    """Compare two configurations; None when they share no load."""
    first: dict[int, list[float]] = {}
    second: dict[int, list[float]] = {}
    of = dict(zip(pair, (first, second), strict=True))
    resolutions: set[float] = set()
    for trial, values in ((each.trial, of.get(each.configuration)) for each in tested):
        if trial.workload != workload or metric.name not in trial.values or trial.failed or values is None:
            continue
        values.setdefault(trial.load, []).append(trial.values[metric.name])
        if metric.name in ("elapsed_s", "value"):
            resolutions.add(trial.resolution_s)
    points = tuple(
        _point(load, first[load], second[load], metric, resolutions, limits)
        for load in sorted(first.keys() & second.keys())
    )
    if not points:
        return None
    crossovers = tuple(_crossovers(points, metric, limits))
    return Comparison(workload, metric, *pair, points, crossovers)


def _point(
    load: int,
    first: list[float],
    second: list[float],
    metric: Measure,
    resolutions: Iterable[float],
    limits: Thresholds,
) -> Point:
    a, b = median(first), median(second)
    change = b / a - 1
    same = abs(change) < limits.tie_share or any(abs(b - a) < each for each in resolutions)
    better = (b > a) == (metric.better == "higher")
    point = Point(load, tuple(first), tuple(second), 1 if better else -1, change)
    same = same or not differ(*point.samples, limits.interval_trials)
    return replace(point, sign=0) if same else point


def _crossovers(points: tuple[Point, ...], metric: Measure, limits: Thresholds) -> list[Crossover]:
    decided = [point for point in points if point.sign]
    found = []
    for before, after in pairwise(decided):
        if before.sign != after.sign:
            interval = None
            samples = [sample for point in points for sample in point.samples]
            if carries_interval(*samples, least=limits.interval_trials):
                interval = _interval(points, metric, after.sign)
            found.append(Crossover(before.load, after.load, after.sign == 1, interval))
    return found


def _interval(points: tuple[Point, ...], metric: Measure, sign: int) -> tuple[float, float] | None:
    """Draw the medians of every point again and again, and see where the curves then cross.

    Between two tested loads the logarithm of the ratio is taken as a straight line.
    """
    loads = np.array([point.load for point in points], dtype=float)
    drawn = [[sample.draws(0.5) for sample in point.samples] for point in points]
    gain = np.log(np.stack([second / first for first, second in drawn], axis=1))
    gain *= sign if metric.better == "higher" else -sign
    crossed: list[float] = []
    for draw in gain:
        turns = np.flatnonzero((draw[:-1] < 0) & (draw[1:] >= 0))
        if len(turns):
            i = int(turns[0])
            share = -draw[i] / (draw[i + 1] - draw[i])
            crossed.append(float(loads[i] + share * (loads[i + 1] - loads[i])))
    if len(crossed) < 0.95 * len(gain):
        return None
    return middle(np.array(crossed))


FEWEST = 5
COUNTED = Measure("counted", "transactions counted", "n", "by the transaction counter over a run")


@dataclass(frozen=True)
class Course:
    """The readings of one run.

    Parameters
    ----------
    minutes
        When each interval ended, from the start of the run on.
    tpm
        Transactions per minute over the interval that ends then.
    is_timed
        False where the counter wrote no times: then the readings are spread evenly over the run.
    counted
        Transactions that the counter saw in all.
    """

    tested: Tested
    minutes: tuple[float, ...]
    tpm: tuple[float, ...]
    is_timed: bool
    counted: float

    @property
    def spread(self) -> tuple[float, float]:
        """Return the 5th and 95th percentile of the readings, without the partial first and last."""
        inner = self.tpm[1:-1] if len(self.tpm) >= FEWEST else self.tpm
        if len(inner) < 2:
            return inner[0], inner[0]
        cuts = quantiles(inner, n=20, method="inclusive")
        return cuts[0], cuts[-1]

    def is_steady(self, limits: Thresholds) -> bool:
        """Return whether no part of it stands out."""
        low, high = self.spread
        return len(self.tpm) >= FEWEST and 0 < high <= limits.steady_ratio * low

    @property
    def name(self) -> str:
        """Return the name of the tested configuration."""
        return self.tested.configuration.name

    @property
    def seconds(self) -> float:
        """How long it was."""
        return self.minutes[-1] * 60

    @property
    def each(self) -> float | None:
        """Return the count per transaction that users were credited with; None if unknown."""
        trial = self.tested.trial
        return self.counted / (trial.work * trial.load) if trial.work and trial.load else None


def courses(tested: Iterable[Tested]) -> list[Course]:
    """Return the course of each run whose readings can be placed, in order of load."""
    found = []
    for each in tested:
        placed = _placed(each.trial)
        if placed:
            minutes, is_timed = placed
            readings = each.trial.readings
            passed = [max(at - before, 0.0) for before, at in pairwise((0.0, *minutes))]
            counted = sum(map(mul, readings, passed))
            found.append(Course(each, minutes, readings, is_timed, counted))
    return sorted(found, key=lambda course: course.tested.trial.load)


def _placed(trial: Trial) -> tuple[tuple[float, ...], bool] | None:
    n = len(trial.readings)
    if n and len(trial.reading_times_us) == n:
        times = trial.reading_times_us
        steps = [b - a for a, b in pairwise(times)]
        start = trial.start_us if trial.start_us is not None else times[0]
        # A counter that ran before the run says of its first interval more than the run's share.
        first = max(start, times[0] - round(median(steps))) if steps else start
        return tuple((at - first) / 60e6 for at in times), True
    elapsed = trial.values.get("elapsed_s")
    if n and elapsed:
        return tuple(elapsed / 60 * (place + 1) / n for place in range(n)), False
    return None


def of_loads(drawn: Sequence[Course], comparison: Comparison, loads: Sequence[int]) -> list[Course]:
    """Return the courses of both configurations at some loads; empty if one of them has none."""
    own = [
        course
        for configuration in comparison.pair
        for course in drawn
        if course.tested.configuration is configuration
        and course.tested.trial.workload == comparison.workload
        and course.tested.trial.load in loads
    ]
    return own if {course.tested.configuration for course in own} == set(comparison.pair) else []


def course_facts(own: Sequence[Course], limits: Thresholds) -> dict[str, Any]:
    """Return the totals of the readings of some runs, and whether any part of a run stands out."""
    return {"all": own, "uneven": [course for course in own if not course.is_steady(limits)]}


def counted(course: Course) -> Measured:
    """Return the transactions that the counter saw over a run."""
    trial = course.tested.trial
    where = f"at {users(trial.workload, trial.load)}, {course.name}"
    source = f"HammerDB's transaction counter, {len(course.tpm):,} reading{'s' * (len(course.tpm) != 1)}"
    return COUNTED.called(f"{COUNTED.label} {where}")(round(course.counted), source)
