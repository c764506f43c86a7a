"""Quantiles, ratios and slopes with their intervals, held against scipy."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.measure.statistics import Sample, least_squares, ratio, spread_ratio


def resampled(values, q, draws=4000):
    rng = np.random.default_rng(7)
    return np.quantile(rng.choice(values, (draws, len(values))), q, axis=1)


@pytest.mark.parametrize("q", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("n", [5, 25, 400])
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
