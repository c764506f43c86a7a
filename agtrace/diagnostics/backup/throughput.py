"""backup.throughput: MB/s of each configuration, and other influences: idle time, hour and weekday."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from agtrace.diagnostics.backup.studies import BUILT_IN, QUANTILES, BackupStudy, Sure, between, flat, rounded
from agtrace.history.runs import shown
from agtrace.measure.statistics import LEAST, Interval, Sample, Values, ratio, spread_ratio
from agtrace.measures import Measure, Measured
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

STUDIES = 10
SHOWN = 30
SHARED = 15
"""Most common properties of all runs that are listed."""
RELATIVE = Measure(
    "relative_p50", "throughput", "% of the median", "median of a stretch, against that of its configurations"
)

WORKING_HOURS = (8, 18)
SATURDAY = 6
IDLE_MINUTES = (0, 10, 30, 45, 60, 90, 120, 240, 480)
"""Lower bounds of the classes of idle time before a run; the last class is unbounded."""
WARM_MINUTES = (0, 5, 10, 15, 20, 30, 60)
"""Lower bounds of the classes of time since the first run after a long pause; the last is unbounded."""


@dataclass(frozen=True)
class Compared:
    """Runs of one kind against the others, each relative to the median of its configuration."""

    first: str
    second: str
    n: tuple[int, int]
    level: Interval
    spread: Interval | None

    @property
    def differs(self) -> bool:
        """Return whether their level differs beyond doubt."""
        return self.level.away_from(1)

    @property
    def scatters(self) -> bool:
        """Return whether their variation differs beyond doubt."""
        return self.spread is not None and self.spread.away_from(1)


def cold(study: BackupStudy, minutes: float) -> Compared | None:
    """Compare runs after that many idle minutes with the others; None without enough of both."""
    idle = study.columns.idle_s
    known = ~np.isnan(idle)
    after = known & (idle >= minutes * 60)
    return compared(study, "warm", known & ~after, "cold", after)


@dataclass(frozen=True)
class Stretch:
    """Runs that began within a range of minutes, each relative to the median of its configuration.

    Parameters
    ----------
    first, last
        The range in minutes; last is None if unbounded.
    seen
        Shortest and longest time of its runs, minutes.
    level
        Median of the relative throughput, with an interval if n is large enough.
    """

    first: float
    last: float | None
    n: int
    seen: tuple[float, float]
    level: Interval

    @property
    def minutes(self) -> str:
        """Format the range: "60 to 90 min", "480 min or more"."""
        return f"{self.first:g} min or more" if self.last is None else f"{self.first:g} to {self.last:g} min"


def by_idle(study: BackupStudy) -> list[Stretch]:
    """Return throughput by the minutes without a backup before a run."""
    return _stretches(study, study.columns.idle_s / 60, IDLE_MINUTES)


def by_warm_up(study: BackupStudy) -> list[Stretch]:
    """Return throughput by the minutes since the first run after a pause that leaves disks cold."""
    return _stretches(study, study.columns.warm_s / 60, WARM_MINUTES)


def _stretches(study: BackupStudy, minutes: Values, starts: tuple[int, ...]) -> list[Stretch]:
    repeated, found = _repeated(study), []
    for place, (first, last) in enumerate(zip(starts, (*starts[1:], None), strict=True)):
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

    @property
    def minutes(self) -> tuple[float, float]:
        """The longest time before it, and the shortest after it."""
        return self.before.seen[1], self.after.seen[0]


def turn(found: list[Stretch], *, to_slow: bool) -> Turn | None:
    """Return the point from which runs are slow (or no longer slow): none before it, all after it."""
    known = [each for each in found if each.level.high is not None]
    turned = [(each.level.high < 1) is to_slow for each in known if each.level.high is not None]
    # Only a single change from no to yes is a threshold in time.
    if not any(turned) or all(turned) or turned != sorted(turned):
        return None
    place = turned.index(True)
    return Turn(known[place - 1], known[place])


def _repeated(study: BackupStudy) -> Values:
    """Return which runs have others in their configuration; a single run is its own median."""
    repeated = np.zeros(len(study.columns.mb_per_s), bool)
    for configuration in study.configurations:
        if configuration.n >= LEAST:
            repeated[configuration.runs] = True
    return repeated


def compared(study: BackupStudy, first: str, these: Values, second: str, those: Values) -> Compared | None:
    """Compare two kinds of runs; None without enough of both."""
    repeated = _repeated(study)
    masks = enumerate((these, those), 900)
    a, b = (Sample(study.relative[mask & repeated], stream) for stream, mask in masks)
    if a.n < LEAST or b.n < LEAST:
        return None
    return Compared(first, second, (a.n, b.n), ratio(a, b), spread_ratio(a, b))


def periods(study: BackupStudy) -> dict[str, Values]:
    """Return which runs began on working days, in or outside working hours, and on the weekend."""
    hour, weekend = study.columns.hour, study.columns.weekday >= SATURDAY
    working = ~weekend & (hour >= WORKING_HOURS[0]) & (hour < WORKING_HOURS[1])
    days = {"working days": ~weekend, "weekend": weekend}
    return {"working hours": working, "evening and night": ~weekend & ~working, **days}


def by_period(study: BackupStudy) -> list[Compared]:
    """Compare evenings and nights with working hours, and weekends with working days."""
    hours, nights, days, weekends = periods(study).items()
    found = (compared(study, *hours, *nights), compared(study, *days, *weekends))
    return [each for each in found if each is not None]


def by_hour(study: BackupStudy) -> list[tuple[str, int, int, float, float, float]]:
    """Return (working days or weekend, hour, n, p5, p50, p95 of the relative throughput)."""
    found, masks = [], periods(study)
    hours = map(int, np.unique(study.columns.hour))
    for name, hour in product(("working days", "weekend"), hours):
        values = study.relative[masks[name] & (study.columns.hour == hour)]
        if len(values):
            p5, p50, p95 = np.quantile(values, list(QUANTILES)).tolist()
            found.append((name, hour, len(values), p5, p50, p95))
    return found


def measured(studies: list[BackupStudy], limits: Thresholds) -> list[Judged]:
    """Judge each of the studies with the most time spent in them."""
    return [_judged(study, limits, len(studies) - STUDIES) for study in studies[:STUDIES]]


def _judged(study: BackupStudy, limits: Thresholds, others: int) -> Judged:
    few = all(c.n < LEAST for c in study.configurations)
    common, idle, warm_up = shared(study, limits), by_idle(study), by_warm_up(study)
    return Judged(
        said="throughput",
        id="backup.throughput",
        severity="info",
        subject=study.subject,
        evidence=(
            *(study.measured(c, q) for c in study.fastest[:SHOWN] for q in QUANTILES),
            *_of_minutes("after {} without a backup", idle),
            *_of_minutes("begun {} after the first run behind a pause", warm_up),
        ),
        confidence=Sure.SINGLE.value if few else Sure.COUNTED.value,
        facts={"study": study, "few": few, "fast": study.fastest[0], "slow": study.fastest[-1]}
        | {"quantiles": [study.fastest[0].sample.quantile(q) for q in QUANTILES]}
        | {"shared": common[:SHARED], "more": max(len(common) - SHARED, 0), "spreads": spreads(study, limits)}
        | {"cold_minutes": limits.backup_cold_minutes, "cold": cold(study, limits.backup_cold_minutes)}
        | {"turns_cold": turn(idle, to_slow=True), "turns_warm": turn(warm_up, to_slow=False)}
        | {"periods": by_period(study)}
        | {"beside": int((study.columns.beside > 0).sum()), "others": max(others, 0)},
    )


def _of_minutes(text: str, stretches: list[Stretch]) -> list[Measured]:
    """Return throughput by ranges of minutes, if there are several."""
    found = []
    for each in stretches if len(stretches) > 1 else ():
        source = ", ".join(filter(None, (f"ERRORLOG, n = {each.n}", between(each.level, 100))))
        of = RELATIVE.called(text.format(each.minutes))
        found.append(of(rounded(100 * each.level.value), source))
    return found


def shared(study: BackupStudy, limits: Thresholds) -> list[tuple[str, Any]]:
    """Return the properties shared by all runs: server, size, files, compression, labels of runs.csv."""
    if study.n < 2:
        return []
    first = study.first_run
    product = (first.product, first.level, first.edition, first.only_version)
    told: list[tuple[str, Any]] = [("product", " ".join(flat(part, 60) for part in product if part))]
    told += [("os", first.os), ("processors", first.processors), ("memory_mb", first.memory_mb)]
    told = [(name, value) for name, value in told if value]
    sizes = study.columns.bytes
    if not np.isnan(sizes).any() and sizes.max() < limits.backup_same_size_ratio * sizes.min():
        told.append(("gb", float(np.median(sizes)) / 2**30))
    for name, counted in (("files", study.columns.files), ("volumes", study.columns.volumes)):
        if counted[0] > 0 and (counted == counted[0]).all():
            told.append((name, int(counted[0])))
    for name in ("compression", "checksum"):
        values = {c.factors[name] for c in study.configurations}
        if len(values) == 1 and (value := values.pop()) is not None:
            told.append(("factor", f"{name} {shown(value)}"))
    return told + [("factor", f"{flat(name)} {flat(value)}") for name, value in study.shared.items()]


class LevelSpread(NamedTuple):
    """The variation of one value of a labelled factor, and that of the other configurations."""

    factor: str
    value: str
    here: list[float]
    rest: list[float]
    visible: bool


def spreads(study: BackupStudy, limits: Thresholds) -> list[LevelSpread]:
    """Compare the variation of each value of a labelled factor with that of the other configurations."""
    found = []
    known = [c for c in study.real if c.n >= LEAST]
    for name in [name for name in study.varying if name not in BUILT_IN]:
        by_value: dict[str, list[float]] = defaultdict(list)
        for c in sorted(known, key=lambda c: c.sample.spread):
            by_value[shown(c.factors.get(name))].append(c.sample.spread)
        for value in sorted(by_value.keys() - {study.usual(name)}):
            here = by_value[value]
            rest = sorted(spread for other, own in by_value.items() if other != value for spread in own)
            if len(rest) >= 3:
                visible = here[0] >= limits.backup_spread_ratio * rest[len(rest) // 2]
                found.append(LevelSpread(name, value, here, rest, visible))
    return found
