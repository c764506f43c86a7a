"""Rates over the time that they cover: totals, overlaps and ratios."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.measure.covered import blocks, covered, shared

NAN = float("nan")


def rate(times, values, step=5.0):
    found = covered(np.array(times, float), np.array(values, float), step, 3)
    assert found is not None
    return found


def test_a_sample_covers_the_interval_before_it():
    known = rate([5, 10, 15], [NAN, 2, 4])
    assert (known.starts.tolist(), known.ends.tolist()) == ([5, 10], [10, 15])
    assert (known.total, known.seconds, known.mean) == (30, 10, 3)


def test_the_first_sample_covers_one_interval():
    assert rate([5, 10], [2, 4]).total == 30


def test_a_blank_covers_nothing():
    known = rate([0, 5, 10, 15], [NAN, 2, NAN, 4])
    assert (known.total, known.seconds, known.mean) == (30, 10, 3)


def test_a_late_sample_covers_the_whole_interval():
    assert rate([0, 5, 15], [NAN, 2, 4]).total == 50


def test_after_a_gap_in_the_capture_one_interval_is_covered():
    known = rate([0, 5, 600, 605], [NAN, 2, 4, 4])
    assert known.starts.tolist() == [0, 595, 600]
    assert known.total == 10 + 20 + 20


def test_nothing_but_blanks_is_no_rate():
    assert covered(np.array([0.0, 5.0]), np.array([NAN, NAN]), 5.0, 3) is None


def test_two_rates_share_only_the_time_that_both_cover():
    both = shared(rate([5, 10, 15], [1, 1, 1]), rate([12, 17, 22], [2, 2, 2]))
    assert both is not None
    assert both.seconds == 8  # from 7 to 15
    assert both.totals == (8, 16)
    assert both.ratio == 2


def test_rates_of_different_intervals_compare_exactly():
    coarse = rate([0, 15, 30], [NAN, 3, 6], step=15.0)
    fine = rate([0, 5, 10, 15, 20, 25, 30], [NAN, 1, 2, 6, 6, 6, 6])
    both = shared(coarse, fine)
    assert both is not None
    assert both.totals == (135, 135)


def test_a_blank_of_one_side_leaves_the_other_out_as_well():
    both = shared(rate([0, 5, 10, 15], [NAN, 1, 9, 1]), rate([0, 5, 10, 15], [NAN, 1, NAN, 1]))
    assert both is not None
    assert (both.seconds, both.totals) == (10, (10, 10))


def test_without_a_common_time_there_is_nothing_to_compare():
    assert shared(rate([5, 10], [1, 1]), rate([3600, 3605], [1, 1])) is None


def test_nothing_sent_gives_no_ratio():
    both = shared(rate([5, 10], [0, 0]), rate([5, 10], [1, 1]))
    assert both is not None
    assert both.ratio is None


def test_ratios_of_blocks_need_half_of_the_block():
    times = np.arange(0, 301, 5.0)
    values = np.where(times > 200, np.nan, 2.0)
    edges = blocks(0, 300, 5.0)
    assert edges.tolist() == [0, 60, 120, 180, 240, 300]
    both = shared(rate(times, np.ones(len(times))), rate(times, values), edges)
    assert both is not None
    np.testing.assert_array_equal(both.ratios(edges), [2, 2, 2, NAN, NAN])


def test_a_block_in_which_nothing_moves_has_no_ratio():
    times = np.arange(0, 121, 5.0)
    still = np.where(times > 60, 1.0, 1000.0)
    edges = blocks(0, 120, 5.0)
    both = shared(rate(times, still), rate(times, np.full(len(times), 1000.0)), edges)
    assert both is not None
    np.testing.assert_array_equal(both.ratios(edges), [1, NAN])


def test_blocks_are_long_enough_for_a_dozen_samples_and_never_too_many():
    assert np.diff(blocks(0, 3600, 30.0))[0] == 360
    assert len(blocks(0, 86400, 5.0)) == 121
    assert blocks(0, 10, 5.0).tolist() == [0, 60]


@pytest.mark.parametrize("shift", [0.0, 1.8, 2600.0])
def test_a_shift_only_shortens_what_is_shared(shift):
    times = np.arange(0, 2701, 5.0)
    one = rate(times, np.ones(len(times)))
    both = shared(one, one.moved(shift))
    assert both is not None
    assert both.seconds == pytest.approx(2705 - shift)
    assert both.ratio == pytest.approx(1)
