"""What beside the configuration moves throughput: idle time before a run, hour and weekday."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.diagnostics.backup.studies import BackupStudy
from agtrace.measure.statistics import LEAST, Interval, Sample, Values, ratio, spread_ratio

WORKING_HOURS = (8, 18)
SATURDAY = 6


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


def compared(
    study: BackupStudy, first: str, these: Values, second: str, those: Values
) -> Compared | None:
    """Compare two kinds of runs; None without enough of both."""
    # A run that stands alone in its configuration is its own median and says nothing.
    repeated = np.zeros(len(these), bool)
    for configuration in study.configurations:
        if configuration.n >= LEAST:
            repeated[configuration.rows] = True
    a, b = (
        Sample(study.relative[mask & repeated], stream)
        for stream, mask in enumerate((these, those), 900)
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
        study,
        "working hours",
        found["working hours"],
        "evening and night",
        found["evening and night"],
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
