"""Defaults of BUFFERCOUNT and MAXTRANSFERSIZE, and quantiles with their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.diagnostics.backup import formula
from agtrace.diagnostics.backup.stats import Sample, least_squares, ratio, spread_ratio


def count(value, *, devices=1, volumes=1, media="DISK", version=None, shown=False):
    found = formula.buffer_count(
        value, devices=devices, volumes=volumes, media=media, version=version, shown=shown
    )
    return found.status, found.reason


def test_blocks_that_were_seen_fit_the_formula_of_their_version():
    assert count(6, version="9.0.3042.0") == ("default", "1 x 3 + 1 + 2 x 1 = 6")
    assert count(13, volumes=4, version="11.0.3339.0") == ("default", "1 x 4 + 1 + 2 x 4 = 13")
    assert count(7, version="13.0.1601.5") == ("default", "1 x 4 + 1 + 2 x 1 = 7")


def test_the_depth_is_that_of_the_version():
    assert count(6, version="11.0.3339.0")[0] == "not the default"
    assert count(7, version="9.0.3042.0")[0] == "not the default"
    assert [count(n)[0] for n in (6, 7, 8)] == ["default", "default", "not the default"]
    assert [count(n, version="10.50.1600.1")[0] for n in (6, 7)] == ["default", "default"]


def test_more_devices_and_volumes_give_more_buffers():
    assert count(13, devices=2, volumes=4, version="11.0.3339.0") == (
        "not the default",
        "the default is 2 x 4 + 2 + 2 x 4 = 18",
    )


def test_explicit_only_where_the_statement_or_the_effective_options_show_it():
    assert count(50, version="15.0.2000.5")[0] == "not the default"
    assert count(50, version="15.0.2000.5", shown=True)[0] == "explicit"
    assert count(7, version="15.0.2000.5", shown=True)[0] == "default"


@pytest.mark.parametrize(
    ("value", "more", "reason"),
    [
        (None, {}, "no buffer block (trace flag 3213)"),
        (7, {"devices": None}, "the number of devices or of volumes is not known"),
        (7, {"volumes": None}, "the number of devices or of volumes is not known"),
        (7, {"media": "VIRTUAL_DEVICE"}, "the depth for VIRTUAL_DEVICE is not established"),
    ],
)
def test_what_cannot_be_decided_says_why(value, more, reason):
    assert count(value, **more) == ("unknown", reason)


@pytest.mark.parametrize(
    ("size", "media", "operation", "status"),
    [
        (1024, "DISK", "backup", "default"),
        (1024, "URL", "backup", "default"),
        (64, "VIRTUAL_DEVICE", "backup", "default"),
        (64, "TAPE", "backup", "default"),
        (64, "DISK", "restore", "default"),
        (64, "DISK", "backup", "not the default"),
        (4096, "DISK", "backup", "not the default"),
        (None, "DISK", "backup", "unknown"),
        (1024, None, "backup", "unknown"),
    ],
)
def test_the_default_transfer_size_goes_by_media(size, media, operation, status):
    assert formula.transfer_size(size, media=media, operation=operation).status == status


def test_memory_is_sets_times_count_times_size():
    assert formula.total_mb(3, 7, 1024) == 21
    assert formula.total_mb(None, 6, 1024) == 6
    assert formula.total_mb(1, 13, 64) == 0.8125
    assert formula.total_mb(1, None, 64) is None


# Statistics


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
