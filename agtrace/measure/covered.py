"""Rates with the intervals that their samples cover: a sample covers only the time before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.measure.grid import Values

STANDSTILL = 0.01
"""A block of time whose rate is below this share of the mean has no meaningful ratio."""


@dataclass(frozen=True, eq=False)
class Covered:
    """A rate over the intervals for which it is known, in order and disjoint.

    Parameters
    ----------
    starts, ends
        Bounds of each interval, seconds since 1970.
    values
        The rate in each interval, units per second.
    """

    starts: Values
    ends: Values
    values: Values

    @property
    def seconds(self) -> float:
        return float((self.ends - self.starts).sum())

    @property
    def total(self) -> float:
        """Rate times interval, added up: units, over the time that is covered."""
        return float((self.values * (self.ends - self.starts)).sum())

    @property
    def mean(self) -> float:
        """Total over the time that is covered."""
        return self.total / self.seconds

    def moved(self, seconds: float) -> Covered:
        """Return the same rate on a clock that is ahead by some seconds."""
        return Covered(self.starts + seconds, self.ends + seconds, self.values)

    def at(self, moments: Values) -> Values:
        """Return the rate at some moments, NaN where unknown."""
        place = np.minimum(np.searchsorted(self.ends, moments), len(self.ends) - 1)
        inside = (self.starts[place] < moments) & (moments <= self.ends[place])
        return np.where(inside, self.values[place], np.nan)


def covered(times: Values, values: Values, step: float, most: float) -> Covered | None:
    """Return the interval that each sample covers; None without any sample.

    Parameters
    ----------
    times
        Time of each row, seconds since 1970, ascending.
    values
        The rate; NaN if blank: a blank covers no time and is not a zero.
    step
        The sampling interval in seconds.
    most
        Longest distance from the previous sample, in intervals. Beyond it the time before was not captured,
        and the sample covers one interval.
    """
    known = ~np.isnan(values)
    if not known.any():
        return None
    before = np.concatenate([[-np.inf], times[:-1]])
    starts = np.where(times - before <= most * step, before, times - step)
    return Covered(starts[known], times[known], values[known])


@dataclass(frozen=True, eq=False)
class Shared:
    """Two rates over the time in which both are known.

    Parameters
    ----------
    starts, ends
        Intervals in which both are constant, seconds since 1970.
    one, other
        The two rates in each interval.
    """

    starts: Values
    ends: Values
    one: Values
    other: Values

    @property
    def seconds(self) -> float:
        return float((self.ends - self.starts).sum())

    @property
    def totals(self) -> tuple[float, float]:
        """Return the total of each of the two."""
        length = self.ends - self.starts
        return float((self.one * length).sum()), float((self.other * length).sum())

    @property
    def ratio(self) -> float | None:
        """Return the second total over the first; None if the first is zero."""
        one, other = self.totals
        return other / one if one > 0 else None

    def ratios(self, edges: Values) -> Values:
        """Return the ratio between each two edges.

        NaN if less than half of the time is shared, or if the first rate is almost zero: data in flight would
        then count as a ratio.
        """
        found = np.full(len(edges) - 1, np.nan)
        place = np.searchsorted(edges, (self.starts + self.ends) / 2) - 1
        inside = (place >= 0) & (place < len(found))
        length, place = (self.ends - self.starts)[inside], place[inside]
        known = np.bincount(place, length, len(found))
        one = np.bincount(place, self.one[inside] * length, len(found))
        other = np.bincount(place, self.other[inside] * length, len(found))
        least = STANDSTILL * self.totals[0] / self.seconds * known
        enough = (known >= np.diff(edges) / 2) & (one > 0) & (one >= least)
        found[enough] = other[enough] / one[enough]
        return found


def shared(one: Covered, other: Covered, edges: Values | None = None) -> Shared | None:
    """Put two rates side by side over the time that both cover; None without such a time.

    Parameters
    ----------
    edges
        Moments at which stretches are cut as well, so that blocks add up exactly.
    """
    cuts = np.unique(
        np.concatenate([one.starts, one.ends, other.starts, other.ends, [] if edges is None else edges])
    )
    middle = (cuts[1:] + cuts[:-1]) / 2
    first, second = one.at(middle), other.at(middle)
    both = ~np.isnan(first) & ~np.isnan(second)
    if not both.any():
        return None
    return Shared(cuts[:-1][both], cuts[1:][both], first[both], second[both])


def blocks(start: float, end: float, step: float, most: int = 120, least: float = 60.0) -> Values:
    """Return edges of equal blocks, long enough for a dozen samples each, starting at ``start``."""
    width = max(least, 12 * step, (end - start) / most)
    count = max(int(np.ceil((end - start) / width - 1e-9)), 1)
    edges: Values = np.linspace(start, start + width * count, count + 1)
    return edges


def union_seconds(parts: list[Covered]) -> float:
    """Return the time from the first to the last moment that any of them covers, in seconds."""
    if not parts:
        return 0.0
    return float(max(p.ends[-1] for p in parts) - min(p.starts[0] for p in parts))
