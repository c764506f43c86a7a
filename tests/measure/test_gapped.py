"""Statistics of series with blanks: a blank is no zero."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.measure.gapped import Slope, runs, slope, spread, together

NAN = np.nan


def test_slope_of_a_line():
    fit = slope(np.arange(50.0), 3 * np.arange(50.0) + 7)
    assert fit.value == pytest.approx(3)
    assert (fit.low, fit.high, fit.n) == (fit.value, fit.value, 50)


def test_steps_are_growth_not_outliers():
    steps = np.repeat(np.arange(6) * 100.0, 100)  # 100 more each 100 s
    fit = slope(np.arange(600.0), steps)
    assert fit.value == pytest.approx(1, rel=0.05)
    assert fit.low > 0.8


def test_slope_of_noise_has_an_interval_around_zero():
    values = np.random.default_rng(7).normal(100, 10, 600)
    fit = slope(np.arange(600.0), values)
    assert fit.low < 0 < fit.high
    assert fit.n == 600


def test_a_wandering_queue_has_a_wide_interval():
    walk = np.cumsum(np.random.default_rng(5).normal(0, 1, 600))
    fit = slope(np.arange(600.0), walk)
    plain = np.polyfit(np.arange(600.0), walk, 1, cov=True)[1][0, 0] ** 0.5
    assert fit.high - fit.low > 4 * 1.96 * 2 * plain


def test_few_values_leave_the_interval_of_student():
    fit = slope(np.arange(4.0), np.array([0.0, 2.0, 1.0, 3.0]))
    # Two degrees of freedom: 4.303 standard errors of sqrt(1.8 / 2 / 5).
    assert (fit.value, fit.low, fit.high) == pytest.approx((0.8, -1.02546, 2.62546), abs=1e-4)


@pytest.mark.parametrize("values", [[1.0, 2.0], [NAN, NAN, NAN, 4.0]])
def test_no_slope_through_two_points(values):
    assert slope(np.arange(float(len(values))), np.array(values)) is None


def test_blanks_are_not_zeros():
    s = spread(np.array([NAN, 2.0, 4.0, NAN]))
    assert (s.n, s.mean, s.max) == (2, 3, 4)
    assert spread(np.array([NAN])) is None
    assert spread(None) is None


def test_a_sum_needs_every_database_that_is_there():
    one = np.array([1.0, 1.0, NAN, 1.0, 1.0])
    other = np.array([NAN, NAN, 5.0, 5.0, NAN])  # joins late, leaves early
    assert np.array_equal(together([one, other]), [1, 1, NAN, 6, 1], equal_nan=True)
    assert together([]) is None


def test_runs_bridge_short_interruptions():
    mask = np.array([0, 1, 1, 0, 1, 0, 0, 0, 1], bool)
    assert runs(mask) == [(1, 3), (4, 5), (8, 9)]
    assert runs(mask, 1) == [(1, 5), (8, 9)]
    assert runs(np.zeros(3, bool)) == []


def test_a_level_series_has_no_slope_however_it_rounds():
    assert slope(np.arange(0.0, 300.0, 5.0), np.full(60, 60.1)) == Slope(0.0, 0.0, 0.0, 60)
