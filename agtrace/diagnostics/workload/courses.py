"""Transactions per minute over the course of each run: what a median of them and a run time leave out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from statistics import median, quantiles
from typing import Any

from agtrace.diagnostics.workload.configurations import users
from agtrace.diagnostics.workload.curves import Comparison
from agtrace.diagnostics.workload.hosts import Tested
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

    tested: Tested
    minutes: tuple[float, ...]
    tpm: tuple[float, ...]
    is_timed: bool
    counted: float

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
    def name(self) -> str:
        """What was tested."""
        return self.tested.configuration.name

    @property
    def seconds(self) -> float:
        """How long it was."""
        return self.minutes[-1] * 60

    @property
    def each(self) -> float | None:
        """Give what was counted per transaction that the users were given; None where that is not known."""
        trial = self.tested.trial
        return self.counted / (trial.work * trial.load) if trial.work and trial.load else None


def courses(tested: Iterable[Tested]) -> list[Course]:
    """Give the course of each run whose readings can be placed, in order of load."""
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
    """Give the courses of both configurations at some loads; none where one of them has none."""
    own = [
        course
        for configuration in comparison.pair
        for course in drawn
        if course.tested.configuration is configuration
        and course.tested.trial.workload == comparison.workload
        and course.tested.trial.load in loads
    ]
    return own if {course.tested.configuration for course in own} == set(comparison.pair) else []


def told(own: Sequence[Course], limits: Thresholds) -> dict[str, Any]:
    """Give what the readings of some runs add up to, and whether any stretch of a run stands out."""
    return {"all": own, "uneven": [course for course in own if not course.is_steady(limits)]}


def counted(course: Course) -> Measured:
    """Give the transactions that the counter saw over a run."""
    trial = course.tested.trial
    where = f"at {users(trial.workload, trial.load)}, {course.name}"
    source = f"HammerDB's transaction counter, {len(course.tpm):,} reading{'s' * (len(course.tpm) != 1)}"
    return COUNTED.called(f"{COUNTED.label} {where}")(round(course.counted), source)
