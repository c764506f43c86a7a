"""The statistics that verdicts are based on, for series with gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.measure.grid import Values
from agtrace.measure.statistics import Fit

BLOCKS = 60


@dataclass(frozen=True)
class Spread:
    """A distribution in a few numbers, from ``n`` samples."""

    n: int
    mean: float
    p5: float
    p50: float
    p95: float
    max: float


def spread(values: Values | None) -> Spread | None:
    """Summarise a series; None without any value."""
    if values is None:
        return None
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    p5, p50, p95 = np.percentile(known, [5, 50, 95])
    return Spread(len(known), float(known.mean()), float(p5), float(p50), float(p95), float(known.max()))


@dataclass(frozen=True)
class Slope:
    """A slope per second with its 95 % interval, from ``n`` samples."""

    value: float
    low: float
    high: float
    n: int


def slope(times: Values, values: Values) -> Slope | None:
    """Fit a straight line by least squares to means over at most 60 blocks of time.

    A queue grows in steps, one for each batch of the load. Those steps are the growth, so a method that
    treats them as outliers (the median of pairwise slopes) would miss it. Residuals are autocorrelated: the
    interval is widened as for a first-order autoregressive process, and its t quantile uses the effective
    degrees of freedom.
    """
    known = ~np.isnan(values)
    t, v = times[known], values[known]
    n = len(t)
    if n < 3 or t[-1] <= t[0]:
        return None
    if n > BLOCKS:
        block = np.minimum(((t - t[0]) / (t[-1] - t[0]) * BLOCKS).astype(int), BLOCKS - 1)
        weight = np.bincount(block, minlength=BLOCKS)
        filled = weight > 0
        t = np.bincount(block, t, BLOCKS)[filled] / weight[filled]
        v = np.bincount(block, v, BLOCKS)[filled] / weight[filled]
    away = t - t.mean()
    rise = float(away @ v / (away @ away))
    rest = v - v.mean() - rise * away
    square = float(rest @ rest)
    # Rounding leaves small residuals on a straight line; they are not noise.
    if square <= 1e-18 * float(v @ v):
        rise = rise if abs(rise) * (t[-1] - t[0]) > 1e-9 * float(np.abs(v).max()) else 0.0
        return Slope(rise, rise, rise, n)
    alike = float(np.clip(rest[1:] @ rest[:-1] / square, 0.0, 0.95))
    error = np.sqrt(square / max(len(t) - 2, 1) / (away @ away) * (1 + alike) / (1 - alike))
    # The squares of such values are correlated by the square of their correlation: effective degrees of
    # freedom.
    freedom = max(round((len(t) - 2) * (1 - alike**2) / (1 + alike**2)), 1)
    found = Fit(np.array([rise]), np.array([error]), freedom).interval(0)
    assert found.low is not None
    assert found.high is not None
    return Slope(rise, found.low, found.high, n)


def together(series: list[Values]) -> Values | None:
    """Add series row by row; a row in which one of them is blank is blank.

    Before its first and after its last value a series does not count: a database joins or leaves.
    """
    if not series:
        return None
    total = np.zeros(len(series[0]))
    seen = np.zeros(len(total), bool)
    for values in series:
        known = np.flatnonzero(~np.isnan(values))
        if not len(known):
            continue
        part = slice(known[0], known[-1] + 1)
        total[part] += values[part]
        seen[part] = True
    return np.where(seen, total, np.nan)


def last(values: Values | None) -> float | None:
    """Return the last value that is not blank."""
    if values is None:
        return None
    known = np.flatnonzero(~np.isnan(values))
    return float(values[known[-1]]) if len(known) else None


def runs(mask: np.ndarray, bridge: int = 0) -> list[tuple[int, int]]:
    """Return the runs (first row, row after the last) in which a mask holds.

    Parameters
    ----------
    bridge
        Longest interruption within a run, in rows.
    """
    held = np.flatnonzero(mask)
    if not len(held):
        return []
    breaks = np.flatnonzero(np.diff(held) > bridge + 1)
    firsts = np.append(held[0], held[breaks + 1])
    lasts = np.append(held[breaks], held[-1])
    return [(int(a), int(b) + 1) for a, b in zip(firsts, lasts, strict=True)]
