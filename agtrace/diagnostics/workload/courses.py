"""Transactions per minute over the course of each run: what a median of them and a run time leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, quantiles
from typing import Any

from agtrace.diagnostics.workload.configurations import Configuration, Workload, users
from agtrace.diagnostics.workload.curves import Comparison
from agtrace.history.trials.trial import Trial
from agtrace.measures import Measure, Measured
from agtrace.thresholds import Thresholds

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

    trial: Trial
    configuration: Configuration
    minutes: tuple[float, ...]
    tpm: tuple[float, ...]
    is_timed: bool
    counted: float

    @property
    def workload(self) -> Workload:
        return self.trial.workload

    @property
    def spread(self) -> tuple[float, float]:
        """Give the 5th and 95th percentile of the readings, the partial first and last one left out."""
        inner = self.tpm[1:-1] if len(self.tpm) >= FEWEST else self.tpm
        if len(inner) < 2:
            return inner[0], inner[0]
        cuts = quantiles(inner, n=20, method="inclusive")
        return cuts[0], cuts[-1]

    def is_steady(self, limits: Thresholds) -> bool:
        """Say whether no stretch of it stands out."""
        low, high = self.spread
        return len(self.tpm) >= FEWEST and 0 < high <= limits.steady_ratio * low

    @property
    def work(self) -> int | None:
        """Give the transactions that all users together were given; None where that is not known."""
        return None if self.trial.work is None else self.trial.work * self.trial.load


def courses(trials: Sequence[Trial], configurations: Sequence[Configuration]) -> list[Course]:
    """Give the course of each run whose readings can be placed, in order of load."""
    found = []
    for trial, configuration in zip(trials, configurations, strict=True):
        placed = _placed(trial)
        if placed:
            minutes, is_timed = placed
            counted, before = 0.0, 0.0
            for at, reading in zip(minutes, trial.readings, strict=True):
                counted += reading * max(at - before, 0.0)
                before = at
            found.append(
                Course(trial, configuration, minutes, trial.readings, is_timed, counted)
            )  # fmt: skip
    return sorted(found, key=lambda course: course.trial.load)


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
    """Give the courses of both configurations at some loads; none where one of them has none."""
    keys = (comparison.first.key, comparison.second.key)
    own = [
        course
        for key in keys
        for course in drawn
        if course.workload == comparison.workload
        and course.configuration.key == key
        and course.trial.load in loads
    ]
    return own if {course.configuration.key for course in own} == set(keys) else []


def told(own: Sequence[Course], limits: Thresholds) -> dict[str, Any]:
    """Give what the readings of some runs add up to, and whether any stretch of a run stands out."""
    return {
        "counted": [
            {
                "name": course.configuration.name,
                "n": course.counted,
                "seconds": course.minutes[-1] * 60,
                "each": course.counted / course.work if course.work else None,
            }
            for course in own
        ],
        "uneven": [
            {"name": course.configuration.name, "spread": course.spread}
            for course in own
            if not course.is_steady(limits)
        ],
    }


def counted(course: Course) -> Measured:
    """Give the transactions that the counter saw over a run."""
    where = f"at {users(course.workload, course.trial.load)}, {course.configuration.name}"
    source = f"HammerDB's transaction counter, {len(course.tpm):,} reading{'s' * (len(course.tpm) != 1)}"
    return COUNTED.called(f"{COUNTED.label} {where}")(round(course.counted), source)
