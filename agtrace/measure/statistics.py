"""Quantiles with bootstrap intervals, and least squares with theirs. Seeded: the same every time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Values = np.ndarray
SEED = 3213
DRAWS = 2000
LEAST = 5
"""Fewer values than this give no interval."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval; low and high are None where n is too small for one."""

    value: float
    low: float | None
    high: float | None

    @property
    def is_known(self) -> bool:
        return self.low is not None and self.high is not None

    def away_from(self, point: float) -> bool:
        """Say whether the whole interval lies on one side of a point."""
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
        """Give a quantile, linear between order statistics."""
        return float(np.quantile(self.values, q))

    def draws(self, q: float) -> Values:
        """Draw the quantile of resampled values, `DRAWS` times.

        An order statistic of a bootstrap sample is the value at n U, where U is the order statistic
        of n uniform numbers, which follows a beta distribution: nothing has to be resampled, however
        many values there are.
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
        """Give a quantile with its interval."""
        return interval(self.quantile(q), self.draws(q) if self.n >= LEAST else None)

    @property
    def median(self) -> float:
        return self.quantile(0.5)

    @property
    def spread(self) -> float:
        """p95 less p5, as a share of the median."""
        return (self.quantile(0.95) - self.quantile(0.05)) / self.median

    def spread_draws(self) -> Values:
        return (self.draws(0.95) - self.draws(0.05)) / self.draws(0.5)


def interval(value: float, draws: Values | None) -> Interval:
    """Take the middle 95 % of draws."""
    if draws is None:
        return Interval(value, None, None)
    low, high = np.quantile(draws, [0.025, 0.975])
    return Interval(value, float(low), float(high))


def ratio(first: Sample, second: Sample) -> Interval:
    """Give median of the second over median of the first."""
    enough = first.n >= LEAST and second.n >= LEAST
    draws = second.draws(0.5) / first.draws(0.5) if enough else None
    return interval(second.median / first.median, draws)


def spread_ratio(first: Sample, second: Sample) -> Interval | None:
    """Give the relative spread of the second over that of the first."""
    if first.n < LEAST or second.n < LEAST or first.spread <= 0:
        return None
    below = first.spread_draws()
    usable = below > 0
    return interval(second.spread / first.spread, (second.spread_draws()[usable] / below[usable]))


@dataclass(frozen=True)
class Fit:
    """Coefficients of a linear model with their standard errors; None where nothing is left to judge by."""

    coefficients: Values
    errors: Values | None
    freedom: int

    def ratio(self, place: int) -> Interval:
        """Give a coefficient of a model of logarithms as a factor."""
        value = float(self.coefficients[place])
        if self.errors is None:
            return Interval(float(np.exp(value)), None, None)
        away = 1.96 * float(self.errors[place])
        return Interval(
            float(np.exp(value)), float(np.exp(value - away)), float(np.exp(value + away))
        )


def least_squares(design: Values, observed: Values) -> Fit:
    """Fit a linear model; columns that others already say get the smallest coefficients."""
    coefficients, _rest, rank, _singular = np.linalg.lstsq(design, observed, rcond=None)
    freedom = len(observed) - int(rank)
    if freedom < 1 or rank < design.shape[1]:
        return Fit(coefficients, None, freedom)
    left = observed - design @ coefficients
    covariance = np.linalg.inv(design.T @ design) * float(left @ left) / freedom
    return Fit(coefficients, np.sqrt(np.diag(covariance)), freedom)
