"""Quantiles with bootstrap intervals, and slopes with Student intervals; seeded, so results are repeatable.

One rule for the number of values that an interval needs (`LEAST`), one bootstrap for quantiles (`Sample`),
and one interval for coefficients of least squares (`Fit`), with the t quantile of the remaining degrees of
freedom. Tests compare each with scipy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

Values = np.ndarray
SEED = 3213
DRAWS = 2000
LEAST = 5
"""Samples with fewer values have no interval.

The widest possible interval for the median of n values is from the lowest to the highest. It contains the
true median with probability 1 - 2 x 0.5^n: 75 % for three values, 94 % for five. """
_T_975 = (12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)
"""97.5 % quantile of Student's t with 1 to 10 degrees of freedom."""
_Z_975 = 1.959964


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval; low and high are None if n is too small for one."""

    value: float
    low: float | None
    high: float | None

    @property
    def is_known(self) -> bool:
        return self.low is not None and self.high is not None

    def away_from(self, point: float) -> bool:
        """Return whether the whole interval is on one side of a point."""
        if self.low is None or self.high is None:
            return False
        return self.low > point or self.high < point


class Sample:
    """Values of repeated runs.

    Parameters
    ----------
    values
        The values in any order.
    stream
        Number of the random stream, so that two samples are drawn independently.
    """

    def __init__(self, values: Values, stream: int = 0) -> None:
        self.values = np.sort(np.asarray(values, np.float64))
        self.stream = stream

    @property
    def n(self) -> int:
        return len(self.values)

    def quantile(self, q: float) -> float:
        """Return a quantile, linear between order statistics."""
        return float(np.quantile(self.values, q))

    def draws(self, q: float) -> Values:
        """Draw the quantile of resampled values, `DRAWS` times.

        An order statistic of a bootstrap sample is the value at n U, where U is the order statistic of n
        uniform numbers, which follows a beta distribution: no resampling is needed, for any number of values.
        """
        n = self.n
        rng = np.random.default_rng([SEED, self.stream, round(q * 1000)])
        place = (n - 1) * q
        k = min(int(place), n - 1)
        below = rng.beta(k + 1, n - k, DRAWS)
        low = self.values[np.minimum((below * n).astype(np.int64), n - 1)]
        if k + 1 >= n:
            return low
        above = below + (1 - below) * rng.beta(1, n - k - 1, DRAWS)
        high = self.values[np.minimum((above * n).astype(np.int64), n - 1)]
        return low + (place - k) * (high - low)

    def interval(self, q: float) -> Interval:
        """Return a quantile with its interval."""
        return interval(self.quantile(q), self.draws(q) if carries_interval(self) else None)

    @property
    def median(self) -> float:
        return self.quantile(0.5)

    @property
    def spread(self) -> float:
        """p95 less p5, as a share of the median."""
        return (self.quantile(0.95) - self.quantile(0.05)) / self.median

    def spread_draws(self) -> Values:
        return (self.draws(0.95) - self.draws(0.05)) / self.draws(0.5)


def middle(draws: Values) -> tuple[float, float]:
    """Return the ends of the middle 95 % of draws."""
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


def interval(value: float, draws: Values | None) -> Interval:
    """Take the middle 95 % of draws."""
    return Interval(value, None, None) if draws is None else Interval(value, *middle(draws))


def carries_interval(*samples: Sample, least: int = LEAST) -> bool:
    """Return whether each sample has enough values for an interval: `LEAST`, or more if asked."""
    return all(sample.n >= max(LEAST, least) for sample in samples)


def ratio(first: Sample, second: Sample, least: int = LEAST) -> Interval:
    """Return median of the second over median of the first."""
    value = second.median / first.median
    if not carries_interval(first, second, least=least):
        return Interval(value, None, None)
    return interval(value, second.draws(0.5) / first.draws(0.5))


def differ(first: Sample, second: Sample, least: int = LEAST) -> bool:
    """Return whether two samples differ beyond their scatter.

    With too few values for an interval of the ratio, all values of one must be above all values of the other.
    """
    found = ratio(first, second, least)
    if found.is_known:
        return found.away_from(1)
    return bool(first.values[-1] < second.values[0] or second.values[-1] < first.values[0])


def spread_ratio(first: Sample, second: Sample) -> Interval | None:
    """Return the relative spread of the second over that of the first."""
    if not carries_interval(first, second) or first.spread <= 0:
        return None
    below = first.spread_draws()
    usable = below > 0
    return interval(second.spread / first.spread, (second.spread_draws()[usable] / below[usable]))


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t: half the width of a 95 % interval in standard errors.

    Above ten degrees of freedom it is expanded about that of the normal distribution (Abramowitz and
    Stegun 26.7.5); four digits are right from there on.

    Raises
    ------
    ValueError
        Without any freedom there is no quantile.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom have no quantile")
    if freedom <= len(_T_975):
        return _T_975[freedom - 1]
    z = _Z_975
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))


@dataclass(frozen=True)
class Fit:
    """Coefficients of a linear model with their standard errors; None without degrees of freedom."""

    coefficients: Values
    errors: Values | None
    freedom: int

    def interval(self, place: int) -> Interval:
        """Return a coefficient with its interval."""
        value = float(self.coefficients[place])
        if self.errors is None:
            return Interval(value, None, None)
        away = t_quantile(self.freedom) * float(self.errors[place])
        return Interval(value, value - away, value + away)

    def ratio(self, place: int) -> Interval:
        """Return a coefficient of a model of logarithms as a factor."""
        found = self.interval(place)
        if found.low is None or found.high is None:
            return Interval(math.exp(found.value), None, None)
        return Interval(math.exp(found.value), math.exp(found.low), math.exp(found.high))


def least_squares(design: Values, observed: Values) -> Fit:
    """Fit a linear model; redundant columns get the smallest coefficients."""
    coefficients, _rest, rank, _singular = np.linalg.lstsq(design, observed, rcond=None)
    freedom = len(observed) - int(rank)
    if freedom < 1 or rank < design.shape[1]:
        return Fit(coefficients, None, freedom)
    left = observed - design @ coefficients
    covariance = np.linalg.inv(design.T @ design) * float(left @ left) / freedom
    return Fit(coefficients, np.sqrt(np.diag(covariance)), freedom)
