"""What beside the configuration moves throughput: idle time before a run, hour and weekday."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.diagnostics.backup.studies import BackupStudy
from agtrace.measure.statistics import LEAST, Interval, Sample, Values, ratio, spread_ratio

WORKING_HOURS = (8, 18)
SATURDAY = 6
IDLE_MINUTES = (0, 10, 30, 45, 60, 90, 120, 240, 480)
"""Where the stretches of idle time before a run begin; the last one is open."""
WARM_MINUTES = (0, 5, 10, 15, 20, 30, 60)
"""Where the stretches of time since the first run after a long pause begin; the last one is open."""


@dataclass(frozen=True)
class Compared:
    """Runs of one kind against the others, each relative to the median of its configuration."""

    first: str
    second: str
    n: tuple[int, int]
    level: Interval
    spread: Interval | None


def cold(study: BackupStudy, minutes: float) -> Compared | None:
    """Compare runs after so many idle minutes with the others; None without enough of both."""
    idle = study.columns["idle_s"]
    known = ~np.isnan(idle)
    after = known & (idle >= minutes * 60)
    return compared(study, "warm", known & ~after, "cold", after)


@dataclass(frozen=True)
class Stretch:
    """Runs that began within a stretch of minutes, each relative to the median of its configuration.

    Parameters
    ----------
    first, last
        The stretch, minutes; last is None where it is open.
    seen
        Shortest and longest time of its runs, minutes.
    level
        Median of the relative throughput, with its interval where n carries one.
    """

    first: float
    last: float | None
    n: int
    seen: tuple[float, float]
    level: Interval


def by_idle(study: BackupStudy) -> list[Stretch]:
    """Give throughput by the minutes without a backup before a run."""
    return _stretches(study, study.columns["idle_s"] / 60, IDLE_MINUTES)


def by_warm_up(study: BackupStudy) -> list[Stretch]:
    """Give throughput by the minutes since the first run after a pause that leaves disks cold."""
    return _stretches(study, study.columns["warm_s"] / 60, WARM_MINUTES)


def _stretches(study: BackupStudy, minutes: Values, starts: tuple[int, ...]) -> list[Stretch]:
    repeated, found = _repeated(study), []
    for place, first in enumerate(starts):
        last = starts[place + 1] if place + 1 < len(starts) else None
        here = repeated & (minutes >= first) & (minutes < (np.inf if last is None else last))
        if here.any():
            sample = Sample(study.relative[here], 910 + place)
            seen = float(minutes[here].min()), float(minutes[here].max())
            found.append(Stretch(first, last, sample.n, seen, sample.interval(0.5)))
    return found


@dataclass(frozen=True)
class Turn:
    """Between which two neighbouring stretches throughput changes."""

    before: Stretch
    after: Stretch


def turns_cold(study: BackupStudy) -> Turn | None:
    """Say between which idle times runs turn slow: all shorter ones are not, all longer ones are."""
    known = [each for each in by_idle(study) if each.level.is_known]
    return _turn(known, [_is_slow(each) for each in known])


def turns_warm(study: BackupStudy) -> Turn | None:
    """Say between which times since a pause runs are slow no more: all earlier ones are, no later one is."""
    known = [each for each in by_warm_up(study) if each.level.is_known]
    return _turn(known, [not _is_slow(each) for each in known])


def _is_slow(each: Stretch) -> bool:
    return each.level.high is not None and each.level.high < 1


def _turn(found: list[Stretch], turned: list[bool]) -> Turn | None:
    # One change from no to yes: anything else is no time at which it turns.
    if not any(turned) or all(turned) or turned != sorted(turned):
        return None
    place = turned.index(True)
    return Turn(found[place - 1], found[place])


def _repeated(study: BackupStudy) -> Values:
    """Say which runs have others beside them: one that stands alone in its configuration is its own median."""
    repeated = np.zeros(len(study.columns["mb_per_s"]), bool)
    for configuration in study.configurations:
        if configuration.n >= LEAST:
            repeated[configuration.runs] = True
    return repeated


def compared(study: BackupStudy, first: str, these: Values, second: str, those: Values) -> Compared | None:
    """Compare two kinds of runs; None without enough of both."""
    repeated = _repeated(study)
    a, b = (
        Sample(study.relative[mask & repeated], stream) for stream, mask in enumerate((these, those), 900)
    )
    if a.n < LEAST or b.n < LEAST:
        return None
    return Compared(first, second, (a.n, b.n), ratio(a, b), spread_ratio(a, b))


def periods(study: BackupStudy) -> dict[str, Values]:
    """Give which runs began in working hours, on other hours of working days, on the weekend."""
    hour, weekday = study.columns["hour"], study.columns["weekday"]
    weekend = weekday >= SATURDAY
    working = ~weekend & (hour >= WORKING_HOURS[0]) & (hour < WORKING_HOURS[1])
    return {"working hours": working, "evening and night": ~weekend & ~working, "weekend": weekend}


def weekend(study: BackupStudy) -> Compared | None:
    """Compare runs on the weekend with those of working days."""
    away = periods(study)["weekend"]
    return compared(study, "working days", ~away, "weekend", away)


def evening(study: BackupStudy) -> Compared | None:
    """Compare evenings and nights of working days with their working hours."""
    found = periods(study)
    return compared(
        study, "working hours", found["working hours"], "evening and night", found["evening and night"]
    )


def by_hour(study: BackupStudy) -> list[tuple[str, int, int, float, float, float]]:
    """Give (working day or weekend, hour, n, p5, p50, p95 of the relative throughput)."""
    found = []
    weekends = periods(study)["weekend"]
    for name, mask in (("working days", ~weekends), ("weekend", weekends)):
        for hour in range(24):
            values = study.relative[mask & (study.columns["hour"] == hour)]
            if len(values):
                p5, p50, p95 = np.quantile(values, [0.05, 0.5, 0.95])
                found.append((name, hour, len(values), float(p5), float(p50), float(p95)))
    return found
