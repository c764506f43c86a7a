"""Two configurations side by side: speed-up, cost and confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import numpy as np

from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.history import transfers as m
from agtrace.history.runs import varying
from agtrace.history.transfers import GIVEN, Run, Use, Uses
from agtrace.measure.statistics import Interval, Sample, differ, ratio
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Change:
    """One resource of the hosts of the same role in both configurations.

    Parameters
    ----------
    role
        "source", "target", or the host itself for labelled windows.
    first, second
        Its use in each run of the two configurations; at least one entry each.
    alike
        Differences up to this share count as equal.
    """

    resource: str
    role: str
    first: tuple[Use, ...]
    second: tuple[Use, ...]
    alike: float

    @property
    def means(self) -> tuple[float, float]:
        """Mean over the runs of each configuration."""
        return fmean(u.usage.mean for u in self.first), fmean(u.usage.mean for u in self.second)

    @property
    def ratio(self) -> float:
        """The second's over the first's."""
        before, after = self.means
        return after / before if before else math.inf if after else 1.0

    @property
    def per_byte(self) -> tuple[float, float] | None:
        """Return the same per byte of the database; for CPU in core-seconds per GB; None if unknown."""
        ours = [u.per_byte for u in self.first if u.per_byte is not None]
        theirs = [u.per_byte for u in self.second if u.per_byte is not None]
        return (fmean(ours), fmean(theirs)) if ours and theirs else None

    @property
    def cost_ratio(self) -> float:
        """Return the second divided by the first, per byte of the database if known, else of the means."""
        if self.per_byte is None or not self.per_byte[0]:
            return self.ratio
        return self.per_byte[1] / self.per_byte[0]

    @property
    def cores(self) -> tuple[int, ...]:
        """Return the numbers of cores of its hosts, from the first run on, if known."""
        found = [u.usage.cores.count for u in (*self.first, *self.second) if u.usage.cores]
        return tuple(found)

    @property
    def host(self) -> str:
        """Return its host; both if they differ."""
        hosts = dict.fromkeys(u.usage.host for u in (*self.first, *self.second))
        return " and ".join(hosts)

    @property
    def is_same(self) -> bool:
        """Return whether both use it equally."""
        return abs(self.ratio - 1) < self.alike

    @property
    def cost(self) -> str:
        """Return whether the second costs "more", "less" or the "same"."""
        if abs(self.cost_ratio - 1) < self.alike:
            return "same"
        return "more" if self.cost_ratio > 1 else "less"


@dataclass(frozen=True)
class Pair:
    """Two configurations of one database.

    Parameters
    ----------
    speed
        Speed-up of the second: times of the first divided by those of the second.
    by_rate
        The databases differ in size, so seconds per byte were compared, not seconds.
    is_same
        The difference is within what such runs can tell.
    differing
        Names of the factors that differ.
    """

    first: Configuration
    second: Configuration
    speed: Interval
    by_rate: bool
    is_same: bool
    differing: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def both(self) -> tuple[Configuration, Configuration]:
        return self.first, self.second

    @property
    def n(self) -> tuple[int, int]:
        return self.first.n, self.second.n

    @property
    def runs(self) -> tuple[Run, ...]:
        """Its runs, those of the first configuration first."""
        return (*self.first.runs, *self.second.runs)

    @property
    def is_of_windows(self) -> bool:
        """Return whether labelled windows are compared, whose length is arbitrary."""
        return self.first.first.method == GIVEN

    @property
    def is_one_method(self) -> bool:
        """Whether both brought the database in the same way."""
        return self.first.first.method == self.second.first.method

    @property
    def is_with_and_without(self) -> bool:
        """Whether the second is the first with something more, which its qualifier names."""
        is_plain = self.first.name == self.second.name and not self.first.qualifier
        return is_plain and self.second.qualifier.startswith("with ")

    @property
    def overlapping(self) -> tuple[int, int] | None:
        """Numbers of the first two runs, one of each, that ran at the same time."""
        sides = ((self.first, 0), (self.second, 1))
        latest: list[Run | None] = [None, None]
        for run, side in sorted(
            ((run, side) for c, side in sides for run in c.runs), key=lambda each: each[0].start
        ):
            other = latest[1 - side]
            if other is not None and other.end > run.start:
                first, second = (other, run) if side else (run, other)
                return first.number, second.number
            known = latest[side]
            if known is None or run.end > known.end:
                latest[side] = run
        return None

    @property
    def size(self) -> float:
        """Return the size of the difference, as a logarithm; for labelled windows, that of the hosts."""
        if not self.is_of_windows:
            return abs(math.log(self.speed.value))
        ratios = [c.ratio for c in self.changes if 0 < c.ratio < math.inf]
        return max((abs(math.log(ratio)) for ratio in ratios), default=0.0)

    def change(self, resource: str, role: str) -> Change | None:
        """Return the change of a resource; None if one of the two does not have it."""
        return next((c for c in self.changes if (c.resource, c.role) == (resource, role)), None)

    @property
    def wire(self) -> Change | None:
        """Return the network traffic: sent by the source, else received by the target."""
        return self.change(m.SENT, "source") or self.change(m.RECEIVED, "target")

    @property
    def wire_ratio(self) -> float | None:
        """The second's bytes on the wire over the first's, per byte of the database where its size is known.

        None where neither, or where both carry the same.
        """
        if self.wire is None:
            return None
        before, after = self.wire.per_byte or self.wire.means
        if not before or not after or abs(after / before - 1) < self.wire.alike:
            return None
        return after / before


def compare(first: Configuration, second: Configuration, uses: Uses, limits: Thresholds) -> Pair:
    """Compare two configurations, the baseline first."""
    sizes = first.database_bytes, second.database_bytes
    by_rate = False
    if sizes[0] and sizes[1]:
        by_rate = abs(sizes[0] - sizes[1]) > limits.compare_tie_share * max(sizes[0], sizes[1])
    before, after = (
        Sample(np.array(_values(each, by_rate)), stream) for stream, each in enumerate((first, second))
    )
    speed = ratio(after, before, limits.interval_trials)
    same = abs(math.log(speed.value)) < math.log1p(limits.compare_tie_share)
    same = same or not differ(before, after, limits.interval_trials)
    changes = tuple(_changes(first, second, uses, limits))
    if first.first.method == GIVEN:
        # The length of a labelled window is arbitrary: the activity of hosts counts as well.
        same = same and all(c.is_same for c in changes)
    return Pair(first, second, speed, by_rate, same, varying((first.factors, second.factors)), changes)


def pairs(
    configurations: Sequence[Configuration], base: Configuration, uses: Uses, limits: Thresholds
) -> list[Pair]:
    """Compare each with the baseline, and with its predecessor if only one factor differs."""
    found = [compare(base, c, uses, limits) for c in configurations if c is not base]
    for before, after in pairwise(configurations):
        if base not in (before, after) and len(varying((before.factors, after.factors))) == 1:
            found.append(compare(before, after, uses, limits))
    return found


def _values(configuration: Configuration, by_rate: bool) -> list[float]:
    return [
        run.seconds / run.database_bytes if by_rate and run.database_bytes else run.seconds
        for run in configuration.runs
    ]


def _changes(first: Configuration, second: Configuration, uses: Uses, limits: Thresholds) -> list[Change]:
    found = []
    for resource in (m.CPU, *m.BYTES, *m.OF_STREAM):
        ours, theirs = (_by_role(c, uses, resource) for c in (first, second))
        for role in ours:
            if role in theirs:
                both = tuple(ours[role]), tuple(theirs[role])
                found.append(Change(resource, role, *both, limits.compare_resource_share))
    # Traffic that is small compared with another host's is left out.
    kinds = ((m.CPU,), m.BYTES, (m.LOG_RECEIVED,), (m.SEND_QUEUE,))
    kind_of = {resource: kind for kind in kinds for resource in kind}
    most = {
        of.resource: max(max(c.means) for c in found if c.resource in kind_of[of.resource]) for of in found
    }
    least = limits.compare_negligible_share
    return [c for c in found if c.resource == m.CPU or max(c.means) >= least * most[c.resource] > 0]


def _by_role(c: Configuration, uses: Uses, resource: str) -> dict[str, list[Use]]:
    found: dict[str, list[Use]] = {}
    for use in (use for run in c.runs for use in uses.of(run)):
        if use.usage.resource != resource or use.step is not None or use.is_whole:
            continue
        host = use.usage.host
        role = host if use.run.method == GIVEN else "source" if host == use.run.source else "target"
        found.setdefault(role, []).append(use)
    return found
