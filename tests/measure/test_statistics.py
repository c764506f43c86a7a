"""Quantiles, ratios and slopes with their intervals, held against scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from agtrace.measure.statistics import (
    LEAST,
    Sample,
    carries_interval,
    differ,
    least_squares,
    ratio,
    spread_ratio,
    t_quantile,
)
from tests.folded import folded


def resampled(values, q, draws=4000):
    rng = np.random.default_rng(7)
    return np.quantile(rng.choice(values, (draws, len(values))), q, axis=1)


@folded("q", [0.05, 0.5, 0.95])
@folded("n", [5, 25, 400])
def test_drawn_quantiles_are_distributed_as_those_of_resampled_values(q, n):
    values = np.random.default_rng(n).gamma(3, 10, n)
    drawn, plain = np.sort(Sample(values).draws(q)), np.sort(resampled(values, q))
    # Values that both hold differ in the last bits.
    at = np.append(drawn, plain) + 1e-9
    apart = np.searchsorted(drawn, at) / len(drawn) - np.searchsorted(plain, at) / len(plain)
    assert np.abs(apart).max() < 0.05


def test_intervals_are_the_same_every_time_and_absent_below_five_values():
    values = [90, 91, 92, 93, 94]
    assert Sample(values).interval(0.5) == Sample(values[::-1]).interval(0.5)
    assert Sample(values).interval(0.5).is_known
    few = Sample(values[:4]).interval(0.5)
    assert (few.value, few.low, few.high) == (91.5, None, None)
    assert not few.away_from(0)


def test_a_ratio_of_equal_samples_is_not_away_from_one():
    values = np.linspace(90, 110, 25)
    assert not ratio(Sample(values, 1), Sample(values, 2)).away_from(1)
    twice = ratio(Sample(values, 1), Sample(2 * values, 2))
    assert twice.value == 2
    assert 1.8 < twice.low < 2 < twice.high < 2.2


def test_spreads_compare_relative_to_their_medians():
    narrow, wide = Sample(np.linspace(99, 101, 50), 1), Sample(np.linspace(180, 220, 50), 2)
    found = spread_ratio(narrow, wide)
    assert found.value == pytest.approx(10)
    assert found.away_from(1)
    assert spread_ratio(Sample([5.0] * 9), wide) is None


def test_least_squares_give_the_product_of_two_factors():
    noise = np.array([0.01, -0.01, 0.02, -0.02])
    cells = {(0, 0): 100, (0, 1): 143, (1, 0): 152, (1, 1): 111}
    design = [[1, a, b, a * b] for a, b in cells for _ in noise]
    observed = np.concatenate([np.log(value) + noise for value in cells.values()])
    found = least_squares(np.array(design, float), observed).ratio(3)
    assert found.value == pytest.approx(100 * 111 / 143 / 152)
    assert found.low < found.value < found.high < 1


def test_a_model_that_the_data_cannot_carry_has_no_interval():
    assert least_squares(np.eye(3), np.ones(3)).errors is None
    assert least_squares(np.ones((5, 2)), np.ones(5)).errors is None


@pytest.mark.complete
@folded("freedom", [*range(1, 40), 60, 100, 500, 10_000, 1_000_000])
def test_the_t_quantile_is_that_of_scipy(freedom):
    assert t_quantile(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=1e-4)


def test_without_freedom_there_is_no_quantile():
    with pytest.raises(ValueError, match="0 degrees of freedom"):
        t_quantile(0)


@pytest.mark.complete
@pytest.mark.parametrize("n", [3, 5, 12, 60])
def test_the_interval_of_a_slope_is_that_of_scipy(n):
    times = np.arange(float(n))
    observed = 5 + 2 * times + np.random.default_rng(n).normal(0, 3, n)
    known = scipy.stats.linregress(times, observed)
    away = scipy.stats.t.ppf(0.975, n - 2) * known.stderr
    found = least_squares(np.column_stack([np.ones(n), times]), observed).interval(1)
    assert (found.value, found.low, found.high) == pytest.approx(
        (known.slope, known.slope - away, known.slope + away), rel=1e-4
    )


@pytest.mark.parametrize("n", [5, 9, 30, 200])
def test_the_interval_of_a_median_is_that_of_scipy(n):
    values = np.random.default_rng(n).gamma(3, 10, n)
    known = scipy.stats.bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    found = Sample(values).interval(0.5)
    near = 0.15 * (known.high - known.low)
    assert found.low == pytest.approx(known.low, abs=near)
    assert found.high == pytest.approx(known.high, abs=near)


@pytest.mark.parametrize("n", [5, 25])
def test_the_interval_of_a_ratio_is_that_of_scipy(n):
    random = np.random.default_rng(n)
    first, second = random.normal(100, 10, n), random.normal(120, 10, n)

    def medians(one, other, axis):
        return np.median(other, axis=axis) / np.median(one, axis=axis)

    known = scipy.stats.bootstrap(
        (first, second), medians, n_resamples=20_000, method="percentile", vectorized=True,
        rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    found = ratio(Sample(first, 1), Sample(second, 2))
    near = 0.15 * (known.high - known.low)
    assert found.low == pytest.approx(known.low, abs=near)
    assert found.high == pytest.approx(known.high, abs=near)


def test_an_interval_needs_five_values_in_each_sample():
    few, enough = Sample(np.arange(1.0, LEAST)), Sample(np.arange(1.0, LEAST + 1))
    assert [carries_interval(enough, each) for each in (few, enough)] == [False, True]
    assert not carries_interval(enough, least=LEAST + 1)
    assert carries_interval(enough, least=1)
    assert not ratio(few, enough).is_known
    assert not few.interval(0.5).is_known


def test_so_many_values_hold_the_median_nearly_always():
    """From the lowest to the highest value: the widest interval that there is."""
    chance = 1 - 2 * scipy.stats.binom.pmf(0, np.array([3, LEAST]), 0.5)
    assert chance == pytest.approx([0.75, 0.9375])


def test_few_values_differ_when_none_of_them_overlap():
    assert differ(Sample([1.0, 2.0]), Sample([2.5, 3.0, 9.0]))
    assert differ(Sample([4.0]), Sample([3.0]))
    assert not differ(Sample([1.0, 3.0]), Sample([2.0, 4.0]))
    assert not differ(Sample([3.0]), Sample([3.0]))


def test_many_values_differ_when_the_interval_of_their_ratio_leaves_one():
    wide, beside = Sample(np.linspace(1, 9, 9), 1), Sample(np.linspace(2, 10, 9), 2)
    assert not differ(wide, beside)
    assert differ(Sample(np.linspace(1, 2, 9), 1), Sample(np.linspace(1.9, 2.9, 9), 2))
