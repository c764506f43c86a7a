"""The statistics and the queue states that verdicts rest on."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.history.streams.lag import frozen, lag
from agtrace.measure.gapped import runs, slope, spread, together
from agtrace.thresholds import Thresholds

LIMITS = Thresholds()
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


TIMES = 5.0 * np.arange(120)
RATE = np.full(120, 1e6)


def filled(queue, leaving=RATE):
    return lag(TIMES, np.asarray(queue, float), leaving, LIMITS.behind_s, LIMITS)


def test_a_growing_queue():
    found = filled(np.linspace(0, 360e6, 120), np.full(120, 4e5))
    assert found.growing
    assert found.open_end
    assert found.slope.value == pytest.approx(360e6 / 595)
    assert found.share == pytest.approx(0.602, abs=0.001)


def test_blank_cells_do_not_drain_a_queue():
    queue = np.linspace(0, 360e6, 120)
    queue[30:80] = NAN
    assert filled(queue, np.full(120, 4e5)).first < 30


def test_a_drained_queue_does_not_grow():
    up, down = np.linspace(0, 2e8, 60), np.linspace(2e8, 0, 60)
    found = filled(np.concatenate([up, down]))
    assert not found.growing


@pytest.mark.parametrize(
    "queue",
    [
        np.zeros(120),
        np.full(120, 5e6),  # 5 s of log
        np.r_[np.zeros(40), np.full(59, 9e7), np.zeros(21)],  # filled for less than five minutes
        np.full(120, NAN),
    ],
)
def test_no_lag(queue):
    assert filled(queue) is None


def still(queue, received):
    return frozen(TIMES, np.asarray(queue, float), np.asarray(received, float), LIMITS)


def test_frozen_while_nothing_arrives():
    received = np.r_[np.full(50, 9.0), np.zeros(70)]
    assert still(np.r_[np.arange(50), np.full(70, 50)], received) == (50, 120)


def test_two_levels_are_two_stretches():
    assert still(np.r_[np.full(50, 1), np.full(70, 2)], np.zeros(120)) == (50, 120)


def test_blank_cells_do_not_thaw():
    queue = np.full(120, 7.0)
    queue[20:90:3] = NAN
    assert still(queue, np.zeros(120)) == (0, 120)


def test_not_frozen():
    assert still(np.full(120, 7.0), np.full(120, 9.0)) is None  # log arrives
    assert still(np.arange(120), np.zeros(120)) is None  # it moves
    assert still(np.r_[np.arange(100), np.full(20, 100)], np.zeros(120)) is None  # 100 s
    assert frozen(TIMES, np.full(120, 7.0), None, LIMITS) is None
